"""Clean text in, training pairs with realistic errors out; the errors are learned from annotated text.

Learning what goes wrong:

- `annotations`: annotated sentences seen from their correct side
- `typed`: pairs as annotated sentences
- `slips`: words doubled, joined or without their apostrophe, spaces gone astray
- `words`: raw text split into words and signs, with their places
- `morphology`: how one form of a word becomes another
- `spelling`: which letters are confused; lists of real misspellings
- `casing`: capitals, words in two pieces, word order
- `contexts`: how much likelier an error is between these neighbours
- `error_model`: all counts, as one JSON file
- `fit`: annotated files in, an error model out

Making it go wrong:

- `drawing`: draw by weight, take a sample, remember within bounds
- `options`: every error that a word may suffer, with its weight
- `rewrite`: one drawn error carried out
- `corrupt`: a correct sentence in, a learner's sentence out
- `pie`: PIE's published recipe, the baseline
- `targets`: sentences of a text, and which of them are good enough
- `generate`: text files in, pairs out, in several processes or while training

Finding real ones:

- `mining`: corrections in the history of a git repository

Comparing made errors with real ones:

- `profile`: how many errors of which types, side by side, as a chart
- `rates`: settings that bring the two together
"""
