"""The method without its networks: plans, labels from pairs, plans from scores, text from plans."""
