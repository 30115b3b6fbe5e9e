"""The examples beside PyTorch and JAX, where these are installed."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import inverse_masses, velocities

import carom

EXAMPLES = Path(__file__).parents[1] / "examples"
W, V, FRICTION = inverse_masses(np.random.default_rng(3), 40, 2), velocities(np.random.default_rng(4), 40, 2), 0.25


def loaded(name: str) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / f"{name}_collide.py"))


def slopes_of_energy(law: str) -> tuple[Any, Any]:
    """The derivatives of the sum of all squares of V after, by V and by friction, from the Jacobian of the law."""
    done = carom.collide(W, V, law, friction=np.full(len(V), FRICTION), jacobian=True)
    of = np.einsum("ri,rij->rj", 2.0 * done.velocity_after, done.jacobian[:, 2:, :])
    return of[:, :2], of[:, done.inputs.index("friction")]


def test_torch() -> None:
    torch: Any = pytest.importorskip("torch")
    collide = loaded("torch")["Collide"].apply
    w, v = (torch.tensor(x, requires_grad=True) for x in (W, V))
    friction = torch.full((len(V),), FRICTION, dtype=torch.float64, requires_grad=True)
    collide(w, v, friction).square().sum().backward()
    by_v, by_friction = slopes_of_energy("routh-poisson")
    np.testing.assert_allclose(np.asarray(v.grad), by_v, rtol=1e-12)
    np.testing.assert_allclose(np.asarray(friction.grad), by_friction, rtol=1e-12, atol=1e-14)

    def of_symmetric(w: Any) -> Any:
        return collide(0.5 * (w + w.mT), v[:5].detach(), friction[:5].detach())

    assert torch.autograd.gradcheck(of_symmetric, (w[:5].detach().requires_grad_(),), eps=1e-7, atol=1e-5)


def test_jax() -> None:
    jax: Any = pytest.importorskip("jax")
    jnp: Any = pytest.importorskip("jax.numpy")
    example = loaded("jax")

    def energy(v: Any, friction: Any) -> Any:
        return (example["collide"](jnp.asarray(W), v, friction) ** 2).sum()

    found = jax.jit(jax.grad(energy, (0, 1)))(jnp.asarray(V), jnp.full(len(V), FRICTION))
    for gradient, expected in zip(found, slopes_of_energy("smith")):
        np.testing.assert_allclose(np.asarray(gradient), expected, rtol=1e-12, atol=1e-14)
