"""From a model and validation sentences to its operating points and to probabilities that mean something."""
