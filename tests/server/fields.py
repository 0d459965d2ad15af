"""Does a field path name a field of a message?"""

from __future__ import annotations

import re

from google.protobuf.descriptor import Descriptor, FieldDescriptor

STEP = re.compile(r"^([a-z_]+)(?:\[([^\]]*)\])?$")


def names_field(message: Descriptor, path: str) -> bool:
    """Tell whether `path` names a field of `message`, entries of lists and maps included.

    The path of an entry of a map ends in its key: ``overrides[key]``.
    """
    steps = path.split(".")
    for number, step in enumerate(steps):
        match = STEP.match(step)
        field = match and message.fields_by_name.get(match[1])
        if not match or field is None or (match[2] is not None and not field.is_repeated):
            return False
        rest = steps[number + 1 :]
        if is_map(field):
            return not rest
        if not rest:
            return True
        if field.message_type is None or (field.is_repeated and match[2] is None):
            return False
        message = field.message_type
    return False


def is_map(field: FieldDescriptor) -> bool:
    """Tell whether a field is a map."""
    kind = field.message_type
    return kind is not None and kind.GetOptions().map_entry
