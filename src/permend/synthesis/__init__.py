"""Clean text in, training pairs with realistic errors out; the errors are learned from annotated text."""
