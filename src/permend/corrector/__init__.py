"""Text in, corrected text out, with what else it could be and why.

- `corrector`: sentences through the networks; ranks and decides
- `leaving`: sentences that the first layers let go
- `filling`: what stands in the slots of hypotheses
- `correction`: what comes out
- `scoring`: how sure an edit is, what it is and what else it could be; two readings as one
- `slips`: what the text itself shows to be wrong
- `vetting`: no edit that would startle a reader
- `explaining`: error types, explanations and words, by language
- `trace`: what a corrector did with a sentence, step by step
- `notebook`: a correction in a notebook
"""
