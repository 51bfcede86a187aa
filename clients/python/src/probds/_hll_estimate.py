"""How many distinct values a HyperLogLog sketch has seen: the server's estimators."""
from __future__ import annotations

import math
from typing import Sequence

CELLS = float(1 << 26)
MOST = 2.0 ** 64


def linear_count(taken: int) -> float:
    """Return how many values have taken so many of the 2^26 cells."""
    return -CELLS * math.log1p(-taken / CELLS)


def maximum_likelihood(count: Sequence[int], m: int, q: int) -> float:
    """Return the number of values that makes the registers likeliest.

    count has how many of the m registers have each value, from 0 to q + 1; q is the number of
    bits that a rank is taken from.  The method is that of Ertl, "New cardinality estimation
    algorithms for HyperLogLog sketches", 2017, algorithm 8: the secant method from below.  Every
    step is in the same order as in the server, so that both round alike.
    """
    used = [k for k, n in enumerate(count) if n]
    if used[0] > q:
        return MOST
    if used[-1] == 0:
        return 0.0
    lo, hi = max(used[0], 1), min(used[-1], q)
    z = 0.0
    for k in range(hi, lo - 1, -1):
        z = 0.5 * z + count[k]
    z = math.ldexp(z, -lo)
    top = count[q + 1] + (count[hi] if q >= 1 else 0)
    a = z + count[0]
    b = z + math.ldexp(count[q + 1], -q)
    in_use = m - count[0]
    x = in_use / (0.5 * b + a) if b <= 1.5 * a else in_use / b * math.log1p(b / a)

    tolerance = 1e-3 / math.sqrt(m)
    dx = x
    before = 0.0
    while dx > x * tolerance:
        kappa = math.frexp(x)[1] + 1
        x1 = math.ldexp(x, -max(hi, kappa) - 1)
        x2 = x1 * x1
        h = x1 - x2 / 3 + x2 * x2 * (1.0 / 45 - x2 / 472.5)
        for _ in range(kappa - 1, hi - 1, -1):
            h = (x1 + h * (1 - h)) / (x1 + (1 - h))
            x1 *= 2
        g = top * h
        for k in range(hi - 1, lo - 1, -1):
            h = (x1 + h * (1 - h)) / (x1 + (1 - h))
            g += count[k] * h
            x1 *= 2
        g += x * a
        if g > before and in_use >= g:
            dx *= (in_use - g) / (g - before)
        else:
            dx = 0.0
        x += dx
        before = g
    return min(m * x, MOST)
