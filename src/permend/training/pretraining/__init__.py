"""A tokenizer and an encoder from plain text alone, in any language: what corrections are later learned on."""
