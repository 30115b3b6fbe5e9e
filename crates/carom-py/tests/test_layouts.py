"""Random layouts and broadcasts of the arguments: the same bits as plain copies."""

from __future__ import annotations

import numpy as np
import pytest
from support import Array, inverse_masses

import carom


def disguised(random: np.random.Generator, plain: Array) -> Array:
    """The same numbers in another layout."""
    padded = [int(random.integers(0, 3)) for _ in plain.shape]
    steps = [int(random.choice([-2, -1, 1, 1, 1, 2])) for _ in plain.shape]
    order = random.permutation(plain.ndim)
    sizes = [n * abs(step) + pad for n, step, pad in zip(plain.shape, steps, padded, strict=True)]
    # Memory in another order of the axes, with gaps, of which a view is cut.
    memory = np.full([sizes[axis] for axis in order], np.nan)
    view = memory.transpose(np.argsort(order))
    for axis, (n, step, pad) in enumerate(zip(plain.shape, steps, padded, strict=True)):
        cut = slice(pad, pad + n * abs(step), abs(step))
        view = view[(slice(None),) * axis + (cut,)]
        if step < 0:
            view = np.flip(view, axis)
    view[...] = plain
    assert view.shape == plain.shape
    return view


def thinned(random: np.random.Generator, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that broadcasts to another."""
    kept = tuple(1 if random.random() < 0.3 else n for n in shape)
    return kept[int(random.integers(0, len(shape) + 1)) :]


@pytest.mark.parametrize("seed", range(150))
def test_layouts_and_broadcasts(seed: int) -> None:
    random = np.random.default_rng(seed)
    components = int(random.integers(2, 4))
    shape = tuple(int(n) for n in random.integers(0, 5, int(random.integers(1, 4))))
    of_w, of_v, of_e, of_mu = (thinned(random, shape) for _ in range(4))
    w = inverse_masses(random, int(np.prod(of_w)), components).reshape(*of_w, components, components)
    if random.random() < 0.5:
        rows, columns = np.triu_indices(components)
        w = np.ascontiguousarray(w[..., rows, columns])
    v = random.uniform(-1.0, 1.0, (*of_v, components))
    e, mu = random.uniform(0.0, 1.0, of_e), random.uniform(0.0, 1.5, of_mu)
    batch = np.broadcast_shapes(of_w, of_v, of_e, of_mu)
    other_w, other_v, other_e, other_mu = (disguised(random, plain) for plain in (w, v, e, mu))
    done = carom.collide(other_w, other_v, "chatterjee-2", other_e, other_mu)
    assert done.shape == batch
    assert np.shape(done.impulse) == (*batch, components)
    tail = w.ndim - len(of_w)
    all_w = np.broadcast_to(w, batch + w.shape[w.ndim - tail :])
    all_v = np.broadcast_to(v, (*batch, components))
    all_e, all_mu = np.broadcast_to(e, batch), np.broadcast_to(mu, batch)
    for place in np.ndindex(*batch):
        one = carom.collide(all_w[place].copy(), all_v[place].copy(), "chatterjee-2", all_e[place], all_mu[place])
        np.testing.assert_array_equal(done.impulse[place], one.impulse)
        np.testing.assert_array_equal(done.velocity_after[place], one.velocity_after)
        assert (done.mode_names() if batch == () else done.mode_names()[place]) == one.mode
