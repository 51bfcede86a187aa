"""How large a Bloom filter is for a capacity and a false-positive rate.

The rule for small filters is doc/format.md's: these do not store their size.  Larger filters say
how large they are, so any size would do; what is here is the server's choice, so that filters
built on both sides can be merged.
"""
from __future__ import annotations

import functools
import math
from typing import Optional, Tuple

BLOCKED, CLASSIC = 0, 1
SINGLE = 4096                   # bits: up to here a blocked filter is one block
BLOCK = 512
MOST_BITS = (0x3fffffff - 2047) // 64 * 512
MOST_HASHES = 40
TOLERANCE = 1.006


class TooLarge(ValueError):
    """A filter would be larger than a value of PostgreSQL can be."""


# ---------- rates of three decimal digits ----------


def rate_of(code: int) -> float:
    """Return the rate that a code stands for."""
    return (100 + (code - 1) % 900) / 10.0 ** (3 + (code - 1) // 900)


def code_of(rate: float) -> int:
    """Return the code of a rate, rounded down to three digits; 0 if there is none."""
    if not 1e-9 * (1 - 1e-12) <= rate < 1:
        return 0
    exponent = 0
    # what is a digit except for the rounding of a double is taken for it
    while exponent < 8 and rate * 10.0 ** (3 + exponent) < 100 - 1e-7:
        exponent += 1
    digits = int(rate * 10.0 ** (3 + exponent) + 1e-7)
    return 1 + 900 * exponent + min(max(digits, 100), 999) - 100


# ---------- small filters ----------


def expected_rate(m: int, k: int, n: float) -> float:
    """Return the rate of one block of m bits with n values in it and k hashes."""
    one, two, three = (math.exp(k * n * math.log1p(-i / m)) for i in (1, 2, 3))
    square = one / m + (1 - 1 / m) * two
    cube = one / (m * m) + 3 / m * (1 - 1 / m) * two + (1 - 1 / m) * (1 - 2 / m) * three
    mean, variance = 1 - one, max(square - one * one, 0.0)
    third = 3 * one * square - 2 * one * one * one - cube
    power = [1.0, 0.0, 0.0]
    for i in range(1, k + 1):
        power = [mean * power[0] + (i - 1) * variance * power[1]
                 + (i - 1) * (i - 2) // 2 * third * power[2], power[0], power[1]]
    return min(power[0], 1.0) if power[0] > 0 else 0.0


def _textbook(capacity: int, rate: float) -> Tuple[int, int]:
    """Return the bits, a multiple of 64, and the hashes that the textbook gives."""
    ideal = -math.log2(rate)
    k = int(ideal + 0.5) if ideal >= 1 else 1
    bits = ideal / math.log(2) if ideal >= 1 else -1 / math.log1p(-rate)
    m = math.ceil(bits * capacity)
    if m > MOST_BITS:
        raise TooLarge
    return (m + 63) // 64 * 64, k


@functools.lru_cache(maxsize=256)
def small_shape(capacity: int, code: int, family: int) -> Optional[Tuple[int, int]]:
    """Return bits and hashes where a stored filter leaves them out, or None."""
    if family > CLASSIC or not capacity or not code:
        return None
    try:
        m, k = _textbook(capacity, rate_of(code))
    except TooLarge:
        return None
    while family == BLOCKED and m <= SINGLE and \
            expected_rate(m, k, capacity) > TOLERANCE * rate_of(code):
        m += 64
    return (m, k) if m <= SINGLE else None


# ---------- blocked filters of many blocks ----------


def _rate_of_blocks(keys: float, k: int) -> float:
    """Return the rate of endless blocks with so many keys in a block on average, k hashes."""
    b = float(BLOCK)
    if keys > 64 * b:
        return 1.0
    one_step, two_step = (1 - 1 / b) ** k, (1 - 2 / b) ** k
    one = two = 1.0
    total = 0.0
    log_p = -keys
    i = 0
    while True:
        i += 1
        log_p += math.log(keys / i)
        one *= one_step
        two *= two_step
        p = math.exp(log_p)
        mean, variance = 1 - one, one / b + (1 - 1 / b) * two - one * one
        if mean > 0:
            power = 1.0
            for _ in range(k):
                power *= mean
            power *= 1 + k * (k - 1) // 2 * max(variance, 0.0) / (mean * mean)
            total += p * min(power, 1.0)
        if i > keys and p < 1e-18:
            return min(total, 1.0)


def _solve_for_hashes(rate: float, k: int, guess: float) -> float:
    """Return the fewest bits a key at which k hashes keep the rate."""
    def excess(bits: float) -> float:
        return math.log(_rate_of_blocks(BLOCK / bits, k) / rate)

    lo = hi = guess
    above = below = excess(guess)
    while lo > 0.01 and above <= 0:
        hi, below = lo, above
        lo *= 0.8
        above = excess(lo)
    while below > 0:
        lo, above = hi, below
        hi *= 1.25
        below = excess(hi)
    # regula falsi with the Illinois rule
    last = 0
    while hi - lo > 1e-11 * hi:
        mid = lo + (hi - lo) * above / (above - below)
        if mid <= lo or mid >= hi:
            break
        e = excess(mid)
        if e > 0:
            lo, above = mid, e
            if last > 0:
                below /= 2
            last = 1
        else:
            hi, below = mid, e
            if last < 0:
                above /= 2
            last = -1
    return hi


@functools.lru_cache(maxsize=64)
def _blocked_bits_per_key(code: int) -> Tuple[int, int]:
    """Return the bits a key in 1/1024 of a bit, and the number of hashes."""
    rate = rate_of(code)
    k = 1
    best = _solve_for_hashes(rate, k, 1.5)
    while k + 1 < MOST_HASHES:
        c = _solve_for_hashes(rate, k + 1, best)
        if c >= best:
            break
        best = c
        k += 1
    return math.ceil(best * 1024), k


# ---------- classic filters ----------


def _classic_rate(m: int, k: int, n: int, power_of_2: bool) -> float:
    """Return the rate of a classic filter, with what double hashing costs."""
    fill = -math.expm1(n * k * math.log1p(-1 / m))
    base = expected_rate(m, k, n)
    if k <= 2:
        return base
    cost = n / m * (1 + 128 / m) * min(1.5 * (k - 2), 9.0) * math.exp(3.6 * (fill - 0.5))
    again = 0.0
    steps = places = 1
    while power_of_2 and places < k:
        again += steps * (fill ** places - fill ** k)
        steps = places
        places *= 2
    again -= k * (k - 1) // 2 * (fill ** (k - 1) - fill ** k)
    cost = (cost + max(again, 0.0)) / m
    return base + (1 - base) * min(1.0, cost)


def _grown_classic(m: int, k: int, capacity: int, rate: float) -> int:
    """Return the fewest bits from m on at which the model is near enough to the rate."""
    most = TOLERANCE * rate
    low = high = m // 64
    while _classic_rate(high * 64, k, capacity, False) > most:
        if high >= MOST_BITS // 64:
            raise TooLarge
        low, high = high, min(2 * high, MOST_BITS // 64)
    while high - low > 1:
        middle = low + (high - low) // 2
        if _classic_rate(middle * 64, k, capacity, False) > most:
            low = middle
        else:
            high = middle
    m = high * 64
    if _classic_rate(m, k, capacity, m & (m - 1) == 0) > most:
        m += 64
    return m


# ---------- any ----------


def shape_for(capacity: int, code: int, family: int) -> Tuple[int, int]:
    """Return the bits and hashes that the server takes.  Raises TooLarge."""
    m, k = _textbook(capacity, rate_of(code))
    if family == CLASSIC:
        return _grown_classic(m, k, capacity, rate_of(code)), k
    small = small_shape(capacity, code, family)
    if small is not None:
        return small
    bits, k = _blocked_bits_per_key(code)
    m = ((capacity * bits + 1023) // 1024 + BLOCK - 1) // BLOCK * BLOCK
    m = max(m, SINGLE + BLOCK)
    if m > MOST_BITS:
        raise TooLarge
    return m, k
