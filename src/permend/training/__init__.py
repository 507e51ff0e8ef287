"""From sentence pairs to a trained model: labels in batches, losses, the loop."""
