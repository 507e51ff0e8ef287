"""The networks in torch: built, saved, exported to ONNX and back.

- `backbone`: the encoder of any Hugging Face checkpoint
- `layers`: the transformer block that pointer and decoder are made of
- `pointer`: from memory to pointer scores
- `decoder`: from templates to logits at their masks
- `network`: all of them as one network, `PointerInfiller`
- `start`: a new network on a pretrained encoder
- `folder`: a trained network's folder, read and written
- `networks`: the network behind the runtime's protocol
- `device`: the same on a GPU, for many sentences at a time
- `search`: `method.search` where the scores are, for a whole batch at once
- `export`: a trained network as two ONNX graphs
- `quantize`: graphs of int8 or four bits
- `fuse`: quantised graphs with fewer, larger nodes
- `split`: an exported encoder in two parts
- `leave`: the head that lets sentences leave between them
- `import_onnx`: an exported network's parameters, to train on from or to run
- `graph_file`: the weights in an ONNX file, read without onnx
- `parity`: how far two implementations disagree
"""
