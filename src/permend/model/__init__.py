"""What a model is, and the networks that run it: numpy in, numpy out, torch only behind `torch`.

- `config`: `config.json`, what a model is apart from its weights
- `folder`: a folder's hashes and its model card
- `options`: how a corrector decides: options, modes, calibration
- `networks`: the protocol of the two networks, and the arrays that they read
- `onnx`: the networks on onnxruntime
- `pretrained`: a folder, or the installed model, loaded
- `torch`: the networks that are trained, and their export
"""
