"""The networks in torch: encoder, pointer and decoder, and their way into a folder or into ONNX."""
