"""The networks.

All take pictures as bytes, (N,H,W,3) in blue, green, red, and normalise internally, so that the
exported graphs need only the camera's pixels. Normalisation layers are folded away on export.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.training.scenes import FACE_CLASSES, RANK_CLASSES, SUIT_CLASSES


class Step(nn.Sequential):
    """Convolution, batch normalisation and ReLU."""

    def __init__(
        self, wide: int, out: int, size: int = 3, *, stride: int = 1, pad: int | None = None
    ):
        super().__init__(
            nn.Conv2d(wide, out, size, stride, size // 2 if pad is None else pad, bias=False),
            nn.BatchNorm2d(out),
            nn.ReLU(inplace=True),
        )


class Rest(nn.Module):
    """A residual block of two plain convolutions."""

    def __init__(self, wide: int):
        super().__init__()
        self.first = Step(wide, wide)
        self.second = nn.Sequential(
            nn.Conv2d(wide, wide, 3, padding=1, bias=False), nn.BatchNorm2d(wide)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Apply the block; the shape stays the same."""
        return torch.relu(x + self.second(self.first(x)))


def planes(pictures: Tensor) -> Tensor:
    """Bytes (N,H,W,3) as numbers (N,3,H,W) around 0."""
    return pictures.permute(0, 3, 1, 2).float() / 127.5 - 1.0


class ReaderNet(nn.Module):
    """Rank and suit of straightened patches (N,64,48,3)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Step(3, 20, stride=2),
            Step(20, 32),
            Step(32, 56, stride=2),
            Rest(56),
            Step(56, 88, stride=2),
            Rest(88),
            Step(88, 40, 1),
        )
        # The rank is above the sign in an upright patch, so positions keep their own weights.
        self.mix = nn.Sequential(nn.Flatten(), nn.Dropout(0.1), nn.Linear(40 * 48, 80), nn.ReLU())
        self.rank = nn.Linear(80, FACE_CLASSES)
        self.suit = nn.Linear(80, SUIT_CLASSES)
        # Other countries' letters have their own layers, so that the English answers do not change.
        self.letters = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(40 * 48, 80), nn.ReLU(),
            nn.Linear(80, RANK_CLASSES),
        )  # fmt: skip

    def forward(self, patches: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits (N,15), (N,5) and (N,27): of ranks, suits, and ranks including letters."""
        seen = self.body(planes(patches))
        mixed = self.mix(seen)
        return self.rank(mixed), self.suit(mixed), self.letters(seen)


class WholeNet(nn.Module):
    """Rank and suit of whole cards, straightened to the size that the `body` takes.

    The `body` ends in 64 channels of (6,4), and `mixed` features are made of them.
    """

    def __init__(self, body: nn.Sequential, mixed: int) -> None:
        super().__init__()
        self.body = body
        # Pips are distinguished by their positions, so positions keep their own weights.
        self.mix = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(64 * 24, mixed), nn.ReLU()
        )
        self.rank = nn.Linear(mixed, FACE_CLASSES)
        self.suit = nn.Linear(mixed, SUIT_CLASSES)

    def forward(self, cards: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (N,15) and (N,5) of ranks and suits."""
        mixed = self.mix(self.body(planes(cards)))
        return self.rank(mixed), self.suit(mixed)


class FaceNet(WholeNet):
    """The network of French faces, straightened to (N,96,64,3)."""

    def __init__(self) -> None:
        body = nn.Sequential(
            Step(3, 12, stride=2),
            Step(12, 24, stride=2),
            Step(24, 40, stride=2),
            Rest(40),
            Step(40, 64, stride=2),
        )
        super().__init__(body, 80)


class LatinNet(WholeNet):
    """The network of Latin cards, straightened to (N,144,96,3).

    `FaceNet`, grown: thin blades that lie side by side need more pixels, and more channels and
    layers where a blade is still a pixel wide.
    """

    def __init__(self) -> None:
        body = nn.Sequential(
            Step(3, 32, 5, stride=3, pad=1),
            Rest(32),
            Step(32, 64, stride=2),
            Rest(64),
            Rest(64),
            Step(64, 96, stride=2),
            Rest(96),
            Rest(96),
            Step(96, 64, stride=2),
            Rest(64),
        )
        super().__init__(body, 96)


class LatinLearner(LatinNet):
    """The same while it is trained: it also draws where the signs lie, twice.

    What it counts is then what it sees, not a maker's style that it knows.
    """

    def __init__(self) -> None:
        super().__init__()
        self.early = nn.Sequential(nn.Conv2d(64, 2 * 4, 1), nn.PixelShuffle(2))
        self.late = nn.Sequential(nn.Conv2d(96, 2 * 16, 1), nn.PixelShuffle(4))

    def learn(self, cards: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits (N,15) and (N,5), and two maps (2,N,2,48,32) of where signs end and lie."""
        early = self.body[:5](planes(cards))
        late = self.body[5:8](early)
        mixed = self.mix(self.body[8:](late))
        maps = torch.stack([self.early(early), self.late(late)])
        return self.rank(mixed), self.suit(mixed), maps


class FinderNet(nn.Module):
    """Maps of indices, faces and backs over pictures (N,H,W,3), at a quarter of their size."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = Step(3, 12, stride=2)
        self.quarter = nn.Sequential(Step(12, 24, stride=2), Step(24, 24))
        self.eighth = nn.Sequential(Step(24, 44, stride=2), Rest(44))
        self.sixteenth = nn.Sequential(Step(44, 80, stride=2), Rest(80), Rest(80))
        self.back_to_eighth = Step(80 + 44, 44, 1)
        self.eighth_again = Step(44, 44)
        self.back_to_quarter = Step(44 + 24, 32, 1)
        self.quarter_again = Step(32, 32)
        self.maps = nn.Conv2d(32, 8, 1)
        with torch.no_grad():
            assert self.maps.bias is not None
            # Hardly any cell holds an index: start from there.
            self.maps.bias[0] = -4.0

    def forward(self, pictures: Tensor) -> Tensor:
        """The maps (N,8,H/4,W/4) before the sigmoid."""
        quarter = self.quarter(self.fine(planes(pictures)))
        eighth = self.eighth(quarter)
        deep = _larger(self.sixteenth(eighth))
        eighth = self.eighth_again(self.back_to_eighth(torch.cat([deep, eighth], 1)))
        joined = torch.cat([_larger(eighth), quarter], 1)
        found: Tensor = self.maps(self.quarter_again(self.back_to_quarter(joined)))
        return found


def _larger(x: Tensor) -> Tensor:
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")


class Published(nn.Module):
    """The finder as exported: heat and areas as probabilities, directions of unit length."""

    def __init__(self, finder: FinderNet):
        super().__init__()
        self.finder = finder

    def forward(self, frame: Tensor) -> Tensor:
        """The maps (1,8,H/4,W/4): heat, offset 2, up 2, log2 of height over 16, face, back."""
        raw = self.finder(frame)
        heat, offset, up, height, areas = raw.split([1, 2, 2, 1, 2], 1)
        length = torch.sqrt((up * up).sum(1, keepdim=True) + 1e-6)
        return torch.cat([heat.sigmoid(), offset, up / length, height, areas.sigmoid()], 1)
