"""Sentence pairs and annotations, as they lie in files."""
