"""Corrections that a team made to its own documents, found in the history of a git repository.

- `history`: commits and what they did to files of prose, as git tells it
- `revised`: two versions of a document in, sentences that became others out
- `reasons`: why a changed sentence may be no correction
- `style`: other spellings, contractions and persons, which are nobody's errors
- `gain`: how much more right a sentence looks to the model than before
- `mine`: repositories in, pairs out, with a count of what was left out and why
"""
