"""Hash functions: that of native sketches (doc/hashing.md), and those of imported ones."""
from __future__ import annotations

from typing import Tuple

MASK = (1 << 64) - 1
C1, C2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
P1, P2, P3 = 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9
P4, P5 = 0x85ebca77c2b2ae63, 0x27d4eb2f165667c5


def rotl(x: int, r: int) -> int:
    """Rotate 64 bits to the left by r."""
    return (x << r | x >> (64 - r)) & MASK


def _fmix(k: int) -> int:
    k ^= k >> 33
    k = k * 0xff51afd7ed558ccd & MASK
    k ^= k >> 33
    k = k * 0xc4ceb9fe1a85ec53 & MASK
    return k ^ k >> 33


def murmur3(data: bytes, seed: int = 0) -> Tuple[int, int]:
    """Return h1 and h2 of MurmurHash3 x64_128, 64 bits each."""
    h1 = h2 = seed
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        k1 = int.from_bytes(data[at:at + 8], 'little')
        k2 = int.from_bytes(data[at + 8:at + 16], 'little')
        h1 ^= rotl(k1 * C1 & MASK, 31) * C2 & MASK
        h1 = ((rotl(h1, 27) + h2) * 5 + 0x52dce729) & MASK
        h2 ^= rotl(k2 * C2 & MASK, 33) * C1 & MASK
        h2 = ((rotl(h2, 31) + h1) * 5 + 0x38495ab5) & MASK
    k1 = int.from_bytes(data[whole:whole + 8], 'little')
    k2 = int.from_bytes(data[whole + 8:], 'little')
    h2 ^= rotl(k2 * C2 & MASK, 33) * C1 & MASK
    h1 ^= rotl(k1 * C1 & MASK, 31) * C2 & MASK
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = (h1 + h2) & MASK
    h2 = (h2 + h1) & MASK
    h1, h2 = _fmix(h1), _fmix(h2)
    h1 = (h1 + h2) & MASK
    return h1, (h2 + h1) & MASK


def murmur64a(data: bytes, seed: int) -> int:
    """Return MurmurHash64A, the hash of Redis."""
    m = 0xc6a4a7935bd1e995
    h = seed ^ len(data) * m & MASK
    whole = len(data) // 8 * 8
    for at in range(0, whole, 8):
        k = int.from_bytes(data[at:at + 8], 'little') * m & MASK
        h = (h ^ (k ^ k >> 47) * m & MASK) * m & MASK
    if whole < len(data):
        h = (h ^ int.from_bytes(data[whole:], 'little')) * m & MASK
    h = (h ^ h >> 47) * m & MASK
    return h ^ h >> 47


def xxhash64(data: bytes) -> int:
    """Return xxHash64 with the seed 0, the hash of Parquet's filters."""
    def number(at: int, n: int) -> int:
        return int.from_bytes(data[at:at + n], 'little')

    def mix(lane: int, k: int) -> int:
        return rotl(lane + k * P2 & MASK, 31) * P1 & MASK

    at = 0
    if len(data) < 32:
        h = P5
    else:
        lanes = [P1 + P2 & MASK, P2, 0, -P1 & MASK]
        while at + 32 <= len(data):
            lanes = [mix(lane, number(at + 8 * i, 8)) for i, lane in enumerate(lanes)]
            at += 32
        h = sum(rotl(lane, r) for lane, r in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            h = ((h ^ mix(0, lane)) * P1 + P4) & MASK
    h = h + len(data) & MASK
    while at + 8 <= len(data):
        h = rotl(h ^ mix(0, number(at, 8)), 27) * P1 + P4 & MASK
        at += 8
    if at + 4 <= len(data):
        h = rotl(h ^ number(at, 4) * P1 & MASK, 23) * P2 + P3 & MASK
        at += 4
    for byte in data[at:]:
        h = rotl(h ^ byte * P5 & MASK, 11) * P1 & MASK
    h = (h ^ h >> 33) * P2 & MASK
    h = (h ^ h >> 29) * P3 & MASK
    return h ^ h >> 32
