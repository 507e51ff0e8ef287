"""A language server: findings in editors while somebody types, with fixes one key away.

- `server`: which message is answered by what
- `protocol`: pygls beneath it, and the answers to clients that get it wrong
- `session`: the editor's documents, folders and settings
- `text`: a text as an editor counts it
- `settings`: what is set, and which documents it concerns
- `dictionaries`: the words that hold for a document
- `opened`: an open document, and what is known of it
- `desk`: open documents, checked piece by piece, the one changed last first
- `engine`: what reads and checks, in a thread
- `diagnostics`, `actions`, `commands`: findings as the protocol has them, and what can be done about them
- `pulling`: diagnostics for editors that ask, of documents and of folders
- `progress`: bars for long checks
- `log`: what is written down, and what is not
"""
