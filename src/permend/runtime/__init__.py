"""Running the networks: the protocol that a corrector needs, and onnxruntime behind it."""
