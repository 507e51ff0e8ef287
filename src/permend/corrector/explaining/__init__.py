"""What kind of error an edit mends, one plain sentence about it, and which words there are: by language.

- `language`: what a language has to know, where models find it, and edits explained with it
- `changes`: an edit of characters as a change of words
- `lexicon`: word lists with parts of speech, which are chosen without a parser
- `en`: English
"""
