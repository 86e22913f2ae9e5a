"""Leaves of JSON: values that hold no other value, and empty objects and lists."""

import json


def leaves(value):
    """Of what json gives; objects may be tuples of pairs, which have repeated members, too."""
    count, todo = 0, [value]
    while todo:
        value = todo.pop()
        items = value.values() if isinstance(value, dict) else value
        if isinstance(value, tuple):
            items = [item for _, item in value]
        if isinstance(value, (dict, list, tuple)) and items:
            todo.extend(items)
        else:
            count += 1
    return count


def count_leaves(path):
    with open(path, encoding="utf-8") as file:
        return leaves(json.load(file, object_pairs_hook=tuple))
