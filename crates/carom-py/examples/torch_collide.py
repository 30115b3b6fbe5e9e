"""Collisions as a differentiable function of PyTorch."""

import torch
from torch.autograd.function import once_differentiable

import carom


class Collide(torch.autograd.Function):
    """V after of a batch, from W, V and friction, for routh-poisson with a restitution of 0.8."""

    @staticmethod
    def forward(ctx, w, v, friction):
        done = carom.collide(w.detach().numpy(), v.detach().numpy(), friction=friction.detach().numpy(), jacobian=True)
        ctx.jacobian, ctx.inputs = torch.from_numpy(done.jacobian), done.inputs
        return torch.from_numpy(done.velocity_after.copy())

    @staticmethod
    @once_differentiable
    def backward(ctx, slope):
        n = slope.shape[-1]
        by_input = (slope.unsqueeze(-1) * ctx.jacobian[:, n:, :]).sum(-2)
        i, j = torch.triu_indices(n, n)
        of_w = torch.zeros(*slope.shape, n, dtype=slope.dtype)
        # A number of the triangle stands for both places of a symmetric W; half of its slope belongs to each.
        of_w[:, i, j] = by_input[:, n : n + len(i)] * torch.where(i == j, 1.0, 0.5)
        of_w = of_w + of_w.mT - torch.diag_embed(of_w.diagonal(dim1=-2, dim2=-1))
        return of_w, by_input[:, :n], by_input[:, ctx.inputs.index("friction")]


if __name__ == "__main__":
    w = torch.tensor([[[2.5, -1.5], [-1.5, 2.5]]], dtype=torch.float64)
    v = torch.tensor([[-1.0, 0.6]], dtype=torch.float64, requires_grad=True)
    friction = torch.tensor([0.2], dtype=torch.float64, requires_grad=True)
    Collide.apply(w, v, friction).square().sum().backward()
    print(v.grad, friction.grad)
