"""Text to learn from and to measure on, as it lies in files.

- `lines`: lines and paragraphs of text files, packed or not
- `m2`: sentences with the edits of their annotators
- `pairs`: sentence pairs from M2 files, tables and folders
- `held_out`: sentences that nothing may learn from, known by their hashes
"""
