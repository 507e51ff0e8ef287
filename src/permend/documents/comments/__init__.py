"""Comments and docstrings of source code as prose: where they stand, and what in them is none.

- `source`: a program in, its paragraphs out; the format that documents are read with
- `comment`: a comment as the lines between its markers
- `python`: comments and docstrings of Python, through the tokens that Python itself finds
- `grammars`: comments of other languages, through tree-sitter
- `layout`: lines of a comment in, those that are prose out
- `docstrings`: the sections of docstrings, in the styles of Google and NumPy
- `tags`: words that programs read in comments: @param, noqa, licences
- `identifiers`: code inside a sentence, and lines that are code
- `extract`: prose by itself for the readers of Markdown and reStructuredText, and the way back
"""
