"""Collisions as a differentiable function of JAX."""

import jax
import jax.numpy as jnp
import numpy as np

import carom

jax.config.update("jax_enable_x64", True)


def both(w, v, friction):
    """V after and its derivatives for a batch, by NumPy."""
    done = carom.collide(np.asarray(w), np.asarray(v), "smith", friction=np.asarray(friction), jacobian=True)
    return np.ascontiguousarray(done.velocity_after), np.ascontiguousarray(done.jacobian[..., v.shape[-1] :, :])


@jax.custom_jvp
def collide(w, v, friction):
    """V after by Smith's law with a restitution of 0.8, for a batch; it can be traced, compiled and differentiated."""
    return derivatives(w, v, friction)[0]


def derivatives(w, v, friction):
    n = v.shape[-1]
    inputs = n + n * (n + 1) // 2 + 2
    shapes = (jax.ShapeDtypeStruct(v.shape, v.dtype), jax.ShapeDtypeStruct((*v.shape, inputs), v.dtype))
    return jax.pure_callback(both, shapes, w, v, friction, vmap_method="expand_dims")


@collide.defjvp
def collide_jvp(values, changes):
    after, jacobian = derivatives(*values)
    dw, dv, dfriction = changes
    i, j = np.triu_indices(dv.shape[-1])
    moved = jnp.concatenate(
        [dv, 0.5 * (dw[..., i, j] + dw[..., j, i]), jnp.zeros_like(dfriction)[..., None], dfriction[..., None]], axis=-1
    )
    return after, jnp.einsum("...ij,...j->...i", jacobian, moved)


if __name__ == "__main__":
    w = jnp.array([[[2.5, -1.5], [-1.5, 2.5]]])
    energy = lambda v, friction: (collide(w, v, friction) ** 2).sum()
    print(jax.jit(jax.grad(energy, (0, 1)))(jnp.array([[-1.0, 0.6]]), jnp.array([0.2])))
