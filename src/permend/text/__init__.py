"""Text as the rest of permend sees it.

- `tokens`: a text as the vocabulary's pieces, each with its characters
- `edits`: what changed between two texts; where to cut one that is too long
- `spacing`: whether a space stands between two tokens
- `tokenized`: tokens of annotated corpora as text, and edits of that text as edits of tokens
- `quotes`: typographic quotation marks and apostrophes
- `no_words`: what no dictionary has to know: base64, hashes, and words without end
- `visible`: text shown to people, without what would steer a terminal
- `json_file`: text and JSON files that others made, read within bounds
"""
