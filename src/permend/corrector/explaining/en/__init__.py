"""English: words, word forms, error types, sentences about them."""
