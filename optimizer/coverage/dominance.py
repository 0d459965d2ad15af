"""Dropping columns that another one can stand for, given what is chosen already.

Below a node only open elements count, and where a column passes matters only
for others that do not meet the run yet. So columns that differ at first become
equal, or one becomes part of another, and only the largest are kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from optimizer.coverage.arrays import Flags, Words, maximal, meets, words_for
from optimizer.coverage.columns import Group
from optimizer.coverage.node import Node

FEW = 12
"""Groups of so few columns are left alone."""


def undominated(node: Node, groups: Sequence[Group], meeting: bool) -> list[Group]:
    """Return the groups without columns that others of their group can stand for.

    Chains are kept as they are: their ends and bonuses set them apart.
    """
    if not any(len(group) > FEW for group in groups):
        return list(groups)
    apart, touching = _apart(node, groups, meeting)
    return [
        group
        if len(group) <= FEW or (group.nodes >= 0).any() or group.gain.any()
        else group.take(maximal(_signature(node, group, apart, touches)))
        for group, touches in zip(groups, touching, strict=True)
    ]


def _apart(node: Node, groups: Sequence[Group], meeting: bool) -> tuple[Words, list[Flags]]:
    """Return the anchors at which a column may help others to meet the run, and by
    group which columns meet it themselves."""
    words = groups[0].meet.shape[1]
    everywhere = np.full(words, -1, dtype=np.int64).view(np.uint64)
    if not meeting:
        return np.zeros(words, np.uint64), [np.ones(len(g), np.bool_) for g in groups]
    if len(node.parts) != 1:
        return everywhere, [np.zeros(len(group), np.bool_) for group in groups]
    part = node.part_words(words)[0]
    touching = [
        np.all([meets(piece, part) for piece in group.pieces or (group.meet,)], axis=0)
        for group in groups
    ]
    apart = np.zeros(words, dtype=np.uint64)
    for group, touches in zip(groups, touching, strict=True):
        apart |= np.bitwise_or.reduce(group.meet[~touches], axis=0)
    return apart, touching


def _signature(node: Node, group: Group, apart: Words, touches: Flags) -> Words:
    """Return what columns are compared by, as rows of words."""
    open_ones = np.nonzero(node.open > 0)[0]
    bits = [group.pay[:, open_ones] > 0, touches[:, None]]
    if not node.home:
        bits.append(group.home[:, None])
    flags = np.concatenate(bits, axis=1)
    octets = np.zeros((len(group), 8 * words_for(flags.shape[1])), dtype=np.uint8)
    packed = np.packbits(flags, axis=1, bitorder="little")
    octets[:, : packed.shape[1]] = packed
    words = octets.view("<u8").reshape(len(group), -1).astype(np.uint64)
    meet = group.meet & apart
    useful = meet.any(axis=0)
    return np.concatenate((words, meet[:, useful]), axis=1)
