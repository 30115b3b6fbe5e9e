"""Contacts of other programs' models, for the laws of Carom.

The other program is imported when its adapter is called, and not before.
"""

from carom.adapters._contacts import Contacts
from carom.adapters._mujoco import mujoco
from carom.adapters._pinocchio import pinocchio

__all__ = ["Contacts", "mujoco", "pinocchio"]
