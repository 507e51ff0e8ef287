"""The task of guessing masked words: plain text in any language in, a tokenizer and an encoder out.

`recipe` → `text` (vocabulary, rows of ids) → `masked` (masks, network, held-out loss); `run` puts them together as a
`Task` for the loop.
"""
