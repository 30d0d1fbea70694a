"""Training resumes from the published weights: restored networks compute the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from vision.decide.latin import FINE  # noqa: E402 - needs torch
from vision.network import WEIGHTS, Network  # noqa: E402
from vision.read.index_classifier import softmax  # noqa: E402
from vision.training import train  # noqa: E402
from vision.training.export import halve  # noqa: E402
from vision.training.growth import enlarge, grow  # noqa: E402
from vision.training.networks import (  # noqa: E402
    FaceNet,
    FinderNet,
    LatinNet,
    ReaderNet,
    Rest,
    Step,
    WholeNet,
)
from vision.training.restore import RestoreError, restore  # noqa: E402

FACES = np.random.default_rng(1).integers(0, 256, (32, 96, 64, 3), np.uint8)
FINE_FACES = np.random.default_rng(2).integers(0, 256, (8, *FINE[::-1], 3), np.uint8)
PATCHES = np.random.default_rng(0).integers(0, 256, (16, 64, 48, 3), np.uint8)


def test_a_restored_reader_gives_the_published_one_s_answers() -> None:
    net = ReaderNet()
    restore(WEIGHTS / "reader.onnx", net, torch.from_numpy(PATCHES))
    rank, suit, letters = net.eval()(torch.from_numpy(PATCHES))
    published = Network(WEIGHTS / "reader.onnx", ("rank", "suit", "letters"))(PATCHES)
    assert np.allclose(rank.detach(), published[0], atol=2e-3)
    assert np.allclose(suit.detach(), published[1], atol=2e-3)
    assert np.allclose(letters.detach(), published[2], atol=2e-3)


def test_two_states_are_averaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "WORK", tmp_path)
    monkeypatch.setattr(train, "RUNS", tmp_path / "runs.jsonl")
    for path, level, steps in (("older.pt", 1.0, 10), ("finder.pt", 3.0, 30)):
        weights = {"a": torch.full((2,), level), "count": torch.tensor(steps)}
        torch.save({"net": weights, "mean": weights, "steps": steps}, tmp_path / path)
    train.average("finder", tmp_path / "older.pt", 0.25)
    mixed = torch.load(tmp_path / "finder.pt")
    assert mixed["mean"]["a"].tolist() == [1.5, 1.5]
    assert (int(mixed["mean"]["count"]), mixed["steps"]) == (30, 30)
    assert '"averaged": [10, 30]' in (tmp_path / "runs.jsonl").read_text()


def test_training_begins_where_the_published_weights_are() -> None:
    # In training, normalisation goes by the batch itself: unfolded, it changes nothing there.
    net = FaceNet()
    faces = torch.from_numpy(FACES)
    restore(WEIGHTS / "face.onnx", net, faces)
    resting = net.eval()(faces)[0]
    net.train()
    net.mix[1].eval()  # without its dropout
    assert torch.allclose(net(faces)[0], resting, atol=5e-3)


def test_a_graph_of_another_network_is_refused() -> None:
    with pytest.raises(RestoreError, match="expected the layers of FinderNet"):
        restore(WEIGHTS / "reader.onnx", FinderNet(), torch.zeros((1, 32, 32, 3)))


def test_a_halved_file_is_half_as_large_and_gives_the_same_answers(tmp_path: Path) -> None:
    path, small = WEIGHTS / "face.onnx", tmp_path / "face.onnx"
    small.write_bytes(path.read_bytes())
    halve(small)
    assert small.stat().st_size < 0.52 * path.stat().st_size
    before, after = (Network(file, ("rank", "suit"))(FACES) for file in (path, small))
    for one, other in zip(before, after, strict=True):
        assert np.allclose(softmax(one), softmax(other), atol=0.01)


def test_weights_stored_in_steps_give_closer_answers_still(tmp_path: Path) -> None:
    """The reader's are stored so: its answers on photographs are all the same."""
    path, small = WEIGHTS / "face.onnx", tmp_path / "face.onnx"
    small.write_bytes(path.read_bytes())
    halve(small, stepped=True)
    assert small.stat().st_size < 0.53 * path.stat().st_size
    before, after = (Network(file, ("rank", "suit"))(FACES) for file in (path, small))
    for one, other in zip(before, after, strict=True):
        assert np.allclose(one, other, atol=0.002)
    net = FaceNet()
    restore(small, net, torch.from_numpy(FACES))
    assert np.allclose(net.eval()(torch.from_numpy(FACES))[0].detach(), before[0], atol=0.005)


def test_a_grown_network_begins_with_the_answers_of_the_small_one() -> None:
    """In pictures one and a half times as large, of which the finer pixels show nothing new."""
    small, large = FaceNet(), LatinNet()
    restore(WEIGHTS / "face.onnx", small, torch.from_numpy(FACES))
    grow(small, large)
    coarse = np.random.default_rng(5).integers(0, 256, (3, 12, 8, 3), np.uint8)
    faces, finer = (coarse.repeat(times, axis=1).repeat(times, axis=2) for times in (8, 12))
    for one, other in zip(
        small.eval()(torch.from_numpy(faces)), large.eval()(torch.from_numpy(finer)), strict=True
    ):
        assert torch.allclose(one, other, atol=1e-4)
    assert sum(part.numel() for part in large.parameters()) > 1.9 * sum(
        part.numel() for part in small.parameters()
    )


def test_an_enlarged_network_begins_with_the_answers_of_the_one_before() -> None:
    """Of fewer channels, or of fewer layers too."""
    faces = torch.from_numpy(FINE_FACES)
    first, last = Step(3, 32, 5, stride=3, pad=1), [Step(64, 64, stride=2), Rest(64)]
    to_48, to_64 = [Step(32, 48, stride=2), Rest(48)], [Step(48, 64, stride=2), Rest(64), Rest(64)]
    deeper = [first, Rest(32), *to_48, Rest(48), *to_64, *last]
    for body in (deeper, [first, *to_48, *to_64, *last]):
        older, net = WholeNet(torch.nn.Sequential(*body), 96), LatinNet()
        older.train()(faces)  # so that there is something to normalise by
        enlarge(older.state_dict(), net, faces)
        for one, other in zip(older.eval()(faces), net.eval()(faces), strict=True):
            assert torch.allclose(one, other, atol=1e-4)
            assert float(one.std()) > 0.01


def test_weights_stored_in_half_precision_are_restored() -> None:
    net = LatinNet()
    restore(WEIGHTS / "decks" / "latin.onnx", net, torch.from_numpy(FINE_FACES))
    rank, suit = net.eval()(torch.from_numpy(FINE_FACES))
    published = Network(WEIGHTS / "decks" / "latin.onnx", ("rank", "suit"))(FINE_FACES)
    assert np.allclose(rank.detach(), published[0], atol=2e-3)
    assert np.allclose(suit.detach(), published[1], atol=2e-3)
