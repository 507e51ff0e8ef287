"""The exported graphs compute what torch computes, for any batch and length."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
import pytest
from onnx import numpy_helper

from permend.errors import PermendError
from permend.model.config import ModelConfig
from permend.model.onnx import OnnxNetworks
from permend.model.torch import export as exporting
from permend.model.torch.backbone import config_to_dict
from permend.model.torch.export import encoder_graph, export
from permend.model.torch.networks import TorchNetworks
from permend.model.torch.parity import BOUNDS, Parity, compare, compare_texts, require, samples
from permend.model.torch.quantize import Quantization, quantize_graph, to_int4_blocks, to_int8
from permend.text.tokens import SubwordTokenizer
from tests.model.tiny import PLANS, SLOTS, VOCAB, encoder_config, exported, network, sample, sentences, tokenizer_json

BATCHES = (
    sample(sentences((9, 5)), PLANS),
    sample(sentences((4,), seed=1), ((0, 4, 2, 3),)),
    sample(sentences((20, 3, 11), seed=2), ((0, 20, 5, 21, 7, 22, 19), (0, 1, 2), (0, 11, 10))),
)


@pytest.mark.parametrize("family", ["modernbert", "bart"])
def test_the_graphs_equal_torch(family: str) -> None:
    net, folder = exported(family)
    found = compare(TorchNetworks(net), OnnxNetworks(folder, threads=1), BATCHES)
    assert found.pointer_difference < 1e-4
    assert found.fill_difference < 1e-4
    assert found.changed_decisions == 0
    assert found.decisions == 12 + 8 + 7 + 23 + 6 + 14 + 6 + 3 + 3 + 9 + 3
    require(found, "none")


@pytest.mark.parametrize("family", ["distilbert", "roberta", "t5"])
def test_the_encoders_of_other_families_can_be_exported(family: str) -> None:
    """BERT is left out, for time: RoBERTa is the same with one more step."""
    net = network(family, encoder_layers=1)
    session = onnxruntime.InferenceSession(encoder_graph(net).SerializeToString())
    for batch in BATCHES:
        memory, scores = session.run(None, {"ids": batch.ids, "mask": batch.mask})
        expected_memory, expected_scores = TorchNetworks(net).encode(batch.ids, batch.mask)
        pairs = batch.mask[:, :, None] & batch.mask[:, None, :]
        np.testing.assert_allclose(memory[batch.mask], expected_memory[batch.mask], atol=1e-4)
        np.testing.assert_allclose(scores[pairs], expected_scores[pairs], atol=1e-4)


@pytest.mark.parametrize("family", ["modernbert", "bart"])
@pytest.mark.parametrize(("kind", "share"), [("int8", 0.1), ("int4", 0.4)])
def test_quantised_graphs_run_and_are_close(family: str, kind: Quantization, share: float) -> None:
    net, folder = exported(family, kind)
    found = compare(TorchNetworks(net), OnnxNetworks(folder, threads=1), BATCHES)
    assert 0 < found.pointer_difference < (0.3 if kind == "int8" else 6)
    assert found.fill_difference < (0.3 if kind == "int8" else 6)
    assert (
        found.changed_decisions <= share * found.decisions
    )  # random networks decide by a hair much more often than trained ones
    sizes = [(exported(family, k)[1] / "weights.bin").stat().st_size for k in ("none", kind)]
    assert sizes[1] < 0.5 * sizes[0]


def test_samples_have_something_for_the_decoder_in_every_sentence() -> None:
    config = network().config
    tokenizer = SubwordTokenizer(tokenizer_json())
    batches = list(samples(["w5 w6 w7", "", "w8", " ".join(["w9"] * 62)], tokenizer, config))
    assert [sample.ids.shape for sample in batches] == [(3, 5 + SLOTS)], "what is too long is left out"
    [template] = [sample.template for sample in batches]
    assert template.ids[0, :7].tolist() == [0, 5, 4, 4, 4, 7, 2]
    assert (template.ids.reshape(-1)[template.fill_index] == config.mask_id).all()
    assert len(template.fill_index) == 3 * 3


def test_texts_are_compared_one_by_one() -> None:
    found = Parity(0.1, 0.3, 10, 1) | Parity(0.2, float("nan"), 5, 1) | compare_texts(["a", "b"], ["a", "c"])
    assert (found.pointer_difference, found.decisions, found.changed_decisions) == (0.2, 15, 2)
    assert (found.sentences, found.changed_corrections) == (2, 1)
    assert np.isnan(found.fill_difference)


def test_an_exported_folder_is_complete(tmp_path: Path) -> None:
    net, folder = exported()
    names = {p.name for p in folder.iterdir()}
    graphs = {"decoder.onnx", "encoder.onnx", "weights.bin"}
    assert names == {"README.md", "config.json", "hashes.json", "tokenizer.json", *graphs}
    config = ModelConfig.from_file(folder / "config.json")
    assert (config.vocab_size, config.slots, config.d) == (VOCAB, SLOTS, net.config.d)
    assert not net.training
    (tmp_path / "file").touch()
    with pytest.raises(PermendError, match="a file is in the way"):
        export(net, tmp_path / "file")
    with pytest.raises(PermendError, match="quantize must be one of none, int8, int4, not 'int2'"):
        quantize_graph(onnx.ModelProto(), "int2")  # type: ignore[arg-type]


def test_graphs_say_nothing_of_the_machine_they_were_made_on() -> None:
    source = str(Path(exporting.__file__).parent).encode()
    for graph in exported()[1].glob("*.onnx"):
        assert source not in graph.read_bytes()
        assert b".py" not in graph.read_bytes()


def test_an_int8_folder_is_a_quarter_of_the_network_with_one_embedding_table(tmp_path: Path) -> None:
    """A vocabulary that outweighs the rest; what the exporter makes of a tied table is what counts here."""
    net = network(encoder_layers=1, decoder_layers=1, vocab_size=8000, encoder=_encoder(8000))
    export(net, tmp_path, "int8")
    parameters = sum(p.numel() for p in net.parameters())
    assert parameters < 1.2 * net.backbone.embeddings.numel()
    held = sum(file.stat().st_size for file in tmp_path.iterdir())
    scales = 4 * 2 * 8000 + 4 * 2 * 8000  # rows and product; output bias and what may not be filled
    assert held < 1.2 * parameters + scales + 100_000


def _encoder(vocab_size: int) -> dict[str, Any]:
    config = encoder_config("modernbert")
    config.vocab_size = vocab_size
    return config_to_dict(config)


def test_all_weights_are_multiplied_as_integers_that_cannot_overflow() -> None:
    graph = onnx.load(exported("modernbert", "int8")[1] / "encoder.onnx").graph
    products = {n.input[1] for n in graph.node if n.op_type in ("MatMulInteger", "MatMulIntegerToFloat")}
    # q k v (the pointer's in parts), out, up in halves, down of two layers and the pointer's; the key
    assert len(products) == 5 * 3 + 2 + 1
    largest = max(np.abs(numpy_helper.to_array(w)).max() for w in graph.initializer if w.name in products)
    assert largest == 64, "pairs of products must fit into 16 bits"


def test_a_large_state_leaves_its_neighbours_alone() -> None:
    """One scale for all states would round the small ones away; and a sentence's answer would depend on others."""
    random = np.random.default_rng(0)
    weight, small = random.normal(size=(64, 48)).astype(np.float32), random.normal(size=(1, 5, 64)).astype(np.float32)
    make, float32 = onnx.helper.make_node, onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        [make("MatMul", ["x", "w"], ["y"])],
        "product",
        [onnx.helper.make_tensor_value_info("x", float32, ["B", "L", 64])],
        [onnx.helper.make_tensor_value_info("y", float32, ["B", "L", 48])],
        [numpy_helper.from_array(weight, "w")],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 21)], ir_version=10)
    session = onnxruntime.InferenceSession(quantize_graph(model, "int8").SerializeToString())
    alone = session.run(None, {"x": small})[0]
    beside = session.run(None, {"x": np.concatenate([small, 1000 * small])})[0]
    np.testing.assert_array_equal(beside[0], alone[0])
    assert np.abs(alone - small @ weight).max() < 0.03 * np.abs(small @ weight).max()
    nothing = session.run(None, {"x": np.zeros((1, 1, 64), np.float32)})[0]
    assert not nothing.any()


@pytest.mark.parametrize("product", ["MatMul", "Gemm"])
@pytest.mark.parametrize("kind", ["int8", "int4"])
def test_a_tied_table_is_stored_once(product: str, kind: Quantization) -> None:
    """A large table is not folded into the product by the exporter: rows are looked up, all but the last 3 multiply."""
    table = np.random.default_rng(0).normal(size=(43, 32)).astype(np.float32)
    make, float32 = onnx.helper.make_node, onnx.TensorProto.FLOAT
    output = {
        "MatMul": [make("Transpose", ["rows"], ["turned"], perm=[1, 0]), make("MatMul", ["x", "turned"], ["y"])],
        "Gemm": [make("Gemm", ["x", "rows", "bias"], ["y"], transB=1)],
    }[product]
    numbers = {"from": [0], "to": [40], "axes": [0]}
    constants: dict[str, Any] = {name: np.array(value, dtype=np.int64) for name, value in numbers.items()}
    graph = onnx.helper.make_graph(
        [
            make("Gather", ["table", "ids"], ["x"]),
            make("Slice", ["table", *constants], ["rows"]),
            *output,
        ],
        "tied",
        [onnx.helper.make_tensor_value_info("ids", onnx.TensorProto.INT64, ["n"])],
        [onnx.helper.make_tensor_value_info("y", float32, ["n", 40])],
        [
            numpy_helper.from_array(array, name)
            for name, array in {**constants, "table": table, "bias": np.zeros(40, dtype=np.float32)}.items()
        ],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 21)], ir_version=10)
    small = quantize_graph(model, kind)
    (scores,) = onnxruntime.InferenceSession(small.SerializeToString()).run(None, {"ids": np.arange(43)})
    assert np.abs(scores - table @ table[:40].T).max() < (0.6 if kind == "int8" else 6)
    large = [w.data_type for w in small.graph.initializer if np.prod(w.dims) >= 500]
    assert large == [onnx.TensorProto.INT8] if kind == "int8" else [onnx.TensorProto.INT8, onnx.TensorProto.UINT8]


def test_int8_values_come_back_within_half_a_step() -> None:
    weight = np.random.default_rng(0).normal(size=(7, 5)).astype(np.float32)
    weight[:, 2] = 0
    values, scale = to_int8(weight, axis=1, largest=64)
    assert scale.shape == (1, 5)
    assert np.abs(values).max() == 64
    assert (np.abs(values * scale - weight) <= scale / 2 + 1e-7).all()


def test_int4_blocks_are_laid_out_as_onnxruntime_reads_them() -> None:
    """40 rows: a full block of 32 and a part of one; multiplying by the identity gives the weight back."""
    weight = np.random.default_rng(0).normal(size=(40, 6)).astype(np.float32)
    packed, scale = to_int4_blocks(weight)
    assert packed.shape == (6, 2, 16)
    steps = np.abs(scale).reshape(6, 2).max()
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("MatMul", ["x", "w"], ["y"])],
        "product",
        [onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [None, 40])],
        [onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [None, 32])],
        [numpy_helper.from_array(np.tile(weight, (1, 6))[:, :32].copy(), "w")],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 21)], ir_version=10)
    session = onnxruntime.InferenceSession(quantize_graph(model, "int4").SerializeToString())
    (back,) = session.run(None, {"x": np.eye(40, dtype=np.float32)})
    assert np.abs(back[:, :6] - weight).max() <= steps


@pytest.mark.parametrize(
    ("found", "kind", "message"),
    [
        (Parity(0.5, 0.0, 100, 0), "none", "differs from the trained one by 0.5 in log-probability"),
        (Parity(0.0, 0.2, 100, 0), "none", "differs from the trained one by 0.2"),
        (Parity(float("nan"), 0.0, 100, 0), "int8", "differs from the trained one by nan"),
        (Parity(0.5, 0.2, 100, 50), "int8", "decides 50 of 100 times otherwise"),
        (Parity(0.5, 0.2, 100, 0, 40, 9), "int8", "corrects 9 of 40 sentences otherwise"),
    ],
)
def test_disagreement_beyond_the_bound_is_an_error(found: Parity, kind: Quantization, message: str) -> None:
    with pytest.raises(PermendError, match=message):
        require(found, kind)
    require(Parity(0.5, 0.2, 1000, 1), "int8")
    assert set(BOUNDS) == {"none", "int8", "int4"}
