"""An editor without a screen: what writers do, recorded with a seed, and a client that does it.

- `client`: talks with a server over its standard input and output, and knows every version of every document
- `rules`: a corrector with three rules, for where the networks do not matter; and a server with it
- `recording`: an hour of writing: typing, pasting, undoing, renaming, large files
- `replay`: the recording, done as fast as the server can, with requests that are cancelled; and what must hold
"""
