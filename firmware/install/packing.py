"""``python -m firmware.install.packing FOLDER FILE KEY``: make an update file from wheels.

The file holds the wheels, a list of their parts, the checksums of all of these, and a signature of
the checksums made with `KEY`. The list of parts is also written next to it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from firmware.install.shelf import NAMESPACE, PARTS, SIGNATURE, SUMS, UpdateError, checked

LOCK = Path(__file__).with_name("requirements.txt")
WEIGHTS = "vision/weights/"
_PINNED = re.compile(
    r"^([a-z0-9-]+)==(\S+)(?: ; (.+?))?((?: \\\n {4}--hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE
)
_OURS = re.compile(r"mazziere-([^-]+)-py3-none-any\.whl")

Part = dict[str, Any]


def pack(folder: Path, file: Path, key: Path | None = None) -> str:
    """Pack the wheels in a folder into an update file; returns the version's name.

    Without a key it is not signed, and no device accepts it. Raises `UpdateError`.
    """
    wheels = sorted(folder.glob("*.whl"))
    parts = parts_of(folder)
    sums = "".join(f"{_sum(wheel.read_bytes())}  {wheel.name}\n" for wheel in wheels)
    sums += f"{_sum(parts.encode())}  {PARTS}\n"
    with zipfile.ZipFile(file, "w") as bundle:
        for wheel in wheels:
            bundle.write(wheel, wheel.name)
        bundle.writestr(PARTS, parts)
        bundle.writestr(SUMS, sums)
        if key is not None:
            bundle.writestr(SIGNATURE, signature(sums.encode(), key))
    return checked(file)


def signature(told: bytes, key: Path) -> bytes:
    """A signature made with an OpenSSH key; raises `UpdateError`."""
    command = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", NAMESPACE]
    made = subprocess.run(command, input=told, stdout=subprocess.PIPE, check=False)
    if made.returncode:
        raise UpdateError(f"{key}: cannot be signed with")
    return made.stdout


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# The list of parts.


def parts_of(folder: Path) -> str:
    """The parts of the program in a folder's wheel, as CycloneDX 1.6: packages and networks."""
    own = next((one for one in sorted(folder.glob("*.whl")) if _OURS.fullmatch(one.name)), None)
    if own is None:
        raise UpdateError(f"{folder}: expected a wheel of the program")
    found = _OURS.fullmatch(own.name)
    name, version = "mazziere", found[1] if found else ""
    components = [*_packages(), *_networks(own)]
    told = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, _sum(own.read_bytes()))}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": name,
                "name": name,
                "version": version,
                "hashes": [_hash(_sum(own.read_bytes()))],
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": components,
        "dependencies": [{"ref": name, "dependsOn": [one["bom-ref"] for one in components]}],
    }
    return json.dumps(told, indent=1) + "\n"


def _packages() -> Iterator[Part]:
    """The third-party packages, each with the hashes of the files that may be installed."""
    for name, version, marker, hashes in _PINNED.findall(LOCK.read_text()):
        part = {
            "type": "library",
            "bom-ref": f"{name}@{version}",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            "licenses": _licence(name),
        }
        files = [_hash(one) for one in re.findall(r"[0-9a-f]{64}", hashes)]
        if len(files) == 1:
            part["hashes"] = files
        notes = [("file", f"sha256:{one['content']}") for one in files if len(files) > 1]
        notes += [("marker", marker)] if marker else []
        if notes:
            part["properties"] = [{"name": f"mazziere:{k}", "value": v} for k, v in notes]
        yield {key: value for key, value in part.items() if value}


def _networks(wheel: Path) -> Iterator[Part]:
    """The neural networks, which are ours."""
    with zipfile.ZipFile(wheel) as whole:
        for name in sorted(whole.namelist()):
            if name.startswith(WEIGHTS) and name.endswith(".onnx"):
                yield {
                    "type": "machine-learning-model",
                    "bom-ref": name,
                    "name": name,
                    "hashes": [_hash(_sum(whole.read(name)))],
                }


def _hash(content: str) -> Part:
    return {"alg": "SHA-256", "content": content}


def _licence(name: str) -> list[Part]:
    """A package's licence according to its metadata, if it is installed here."""
    try:
        told = metadata(name).json
    except PackageNotFoundError:
        return []
    if "license_expression" in told:
        return [{"expression": told["license_expression"]}]
    kinds = [one.rpartition(" :: ")[2] for one in told.get("classifier", ())
             if one.startswith("License :: ")]  # fmt: skip
    plain = str(told.get("license", "")).strip().splitlines()[:1]
    return [{"license": {"name": one}} for one in (kinds or plain)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make an update file; errors are one line and exit status 2."""
    parser = argparse.ArgumentParser("python -m firmware.install.packing", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("key", type=Path)
    options = parser.parse_args(arguments)
    try:
        version = pack(options.folder, options.file, options.key)
        beside = options.file.with_name(f"{options.file.name}.{PARTS}")
        beside.write_text(parts_of(options.folder))
    except (UpdateError, OSError) as error:
        print(f"packing: {error}", file=sys.stderr)
        return 2
    print(f"{options.file}: version {version}, signed; its parts: {beside.name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
