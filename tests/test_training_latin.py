"""What the network of Latin signs is trained on, and that its maps say where the signs are."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from rules.cards import Card  # noqa: E402 - needs torch
from vision.decide.latin import FINE  # noqa: E402
from vision.scene.latin import drawn, maker, signs_at  # noqa: E402
from vision.training import latin, latin_stock  # noqa: E402
from vision.training.latin_faces import DRAWN, Sample, seen  # noqa: E402
from vision.training.latin_marks import CELLS, marked  # noqa: E402
from vision.training.latin_stock import Part, Stock, judged, lit  # noqa: E402
from vision.training.networks import LatinLearner  # noqa: E402

FIVE = Card.parse("5S")


def faces(known: bool, shade: int, many: int) -> list[Sample]:
    """Faces of one shade of grey, with a spot in the map's top left corner if it is known."""
    face = np.full((*FINE[::-1], 3), shade, np.uint8)
    spots = np.zeros((*CELLS[::-1], 2), np.uint8)
    spots[0, 0] = 255
    return [(face, spots if known else None, (4, 2))] * many


def store(folder: Path, number: int, part: list[Sample]) -> None:
    Part.of(part).save(folder / f"{number:05}.npz")


def test_the_map_of_a_photographed_face_lies_on_its_signs() -> None:
    """The ink there is darker than that of the card as a whole, of which most is paper."""
    rng, inked, all_over = np.random.default_rng(3), [], []
    for seed in range(40):
        by = maker(seed)
        page = drawn(by, FIVE, DRAWN), marked(signs_at(by, FIVE, DRAWN), DRAWN), (4, 2)
        face, spots, label = seen(page, rng, odd=False)
        assert spots is not None
        assert (spots.shape, label) == ((*CELLS[::-1], 2), (4, 2))
        coarse = face.reshape(CELLS[1], 3, CELLS[0], 3, 3).mean(axis=(1, 3, 4))
        inked.append(coarse[spots.max(axis=2) > 120].mean())
        all_over.append(np.median(coarse))
    assert np.mean(np.array(inked) < np.array(all_over) - 20) > 0.9


def test_a_map_turns_with_its_face() -> None:
    face = np.zeros((*FINE[::-1], 3), np.uint8)
    face[:48, :48] = 255
    spots = np.zeros((*CELLS[::-1], 2), np.uint8)
    spots[:16, :16] = 255
    shown, maps = lit(np.stack([face] * 40), np.stack([spots] * 40), np.random.default_rng(2))
    corners = set()
    for one, other in zip(shown, maps, strict=True):
        bright = tuple(
            int(place) // half
            for place, half in zip(
                np.argwhere(one.mean(axis=2) > one.max() * 0.6).mean(axis=0), (72, 48), strict=True
            )
        )
        marked_at = tuple(np.argwhere(other[..., 0] > 0).mean(axis=0) // (24, 16))
        assert bright == marked_at
        corners.add(bright)
    assert len(corners) == 4


def test_the_faces_drawn_first_go_as_others_come(tmp_path: Path) -> None:
    stock = Stock(tmp_path, limit=6)
    for number in range(3):
        store(tmp_path, number, faces(known=True, shade=60 * number, many=3))
    stock.refresh(1)
    assert len(stock.scenes) == 3
    stock.refresh()
    assert len(stock.scenes) == 6
    assert [path.stem for path in sorted(tmp_path.iterdir())] == ["00001", "00002"]
    shown, labels, maps, known, counts = next(stock.batches(200, np.random.default_rng(1)))
    assert set(map(tuple, labels.tolist())) == {(4, 2)}
    assert (tuple(maps.shape[1:]), int(known.sum())) == ((*CELLS[::-1], 2), 200)
    assert set(counts.tolist()) == {1.0}
    assert float(shown.float().std()) > 10  # of both shades


def test_faces_are_drawn_until_enough_are_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def waits(_: float) -> None:
        raise StopIteration("enough are ahead")

    for name, value in (("DRAWN", 2), ("PART", 2), ("LIVE", 4), ("AHEAD", 1)):
        monkeypatch.setattr(latin_stock, name, value)
    monkeypatch.setattr("time.sleep", waits)
    store(tmp_path, 7, faces(known=False, shade=9, many=2))
    drawing = repeat(faces(known=True, shade=5, many=1)[0])
    with pytest.raises(StopIteration, match="enough"):
        latin_stock.supply(drawing, tmp_path, lambda part: np.zeros(len(part.faces)))
    assert [path.stem for path in sorted(tmp_path.iterdir())] == ["00007", "00008", "00009"]


def test_faces_that_are_read_badly_are_kept_more_often_and_count_less() -> None:
    part = Part.of([*faces(known=True, shade=1, many=900), *faces(known=True, shade=2, many=100)])
    likely = np.where(part.faces[:, 0, 0, 0] == 1, 1.0, 0.1)
    kept = judged(part, likely, np.random.default_rng(4))
    shades = kept.faces[:, 0, 0, 0]
    assert (shades == 1).sum() == pytest.approx(225, abs=40)
    assert (shades == 2).sum() == 100
    whole = [float(kept.counts[shades == shade].sum()) for shade in (1, 2)]
    assert whole[0] / whole[1] == pytest.approx(9, rel=0.2)
    assert float(kept.counts.mean()) == pytest.approx(1)


def test_a_face_is_judged_by_its_right_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latin, "WORK", tmp_path)
    (tmp_path / "decks").mkdir()
    state = LatinLearner().state_dict()
    for layer, answer in (("rank", 4), ("suit", 2)):
        state[f"{layer}.weight"].zero_()
        state[f"{layer}.bias"].zero_()[answer] = 9.0
    torch.save({"mean": state}, tmp_path / "decks" / "latin.pt")
    part = Part.of(faces(known=True, shade=90, many=3))
    part.labels[1] = 5, 2
    likely = latin.judge(part)
    assert likely[[0, 2]].min() > 0.98
    assert likely[1] < 0.01


def test_maps_count_only_where_the_signs_are_known() -> None:
    torch.manual_seed(1)
    net = LatinLearner().eval()
    lost = []
    for known in (True, False):
        part = Part.of(faces(known=known, shade=200, many=4))
        blank = Part.of(faces(known=known, shade=200, many=2))
        blank.marks[:] = 0
        for one in (part, blank):
            whole = one.faces, one.labels, one.marks, one.known, one.counts
            batch = [values[:2] for values in whole]
            lost.append(float(latin.loss(net, tuple(map(torch.from_numpy, batch))).detach()))
    assert lost[0] > lost[1]
    assert lost[2] == lost[3]


def test_what_draws_maps_answers_as_without_them() -> None:
    torch.manual_seed(2)
    net = LatinLearner().eval()
    cards = torch.from_numpy(
        np.random.default_rng(1).integers(0, 256, (2, *FINE[::-1], 3), np.uint8)
    )
    plain, learned = net(cards), net.learn(cards)
    assert all(torch.equal(one, other) for one, other in zip(plain, learned[:2], strict=True))
    assert learned[2].shape == (2, 2, 2, *CELLS[::-1])
