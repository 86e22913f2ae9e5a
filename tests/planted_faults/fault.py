"""What a planted fault is, and an area: a folder whose tests must find its faults."""

from typing import NamedTuple


class Run(NamedTuple):
    program: str  # of the area's tests, which is also what is built
    tests: str = "*"  # a filter of GoogleTest


class Fault(NamedTuple):
    name: str  # what goes wrong
    rule: str  # the promise that it breaks
    file: str  # from the root of the repository
    old: str  # stands there once
    new: str
    runs: tuple = ()  # in this order; those of its area, when there are none


class Area(NamedTuple):
    name: str  # of the folder of its tests
    faults: list
    runs: tuple = ()  # the quickest first: a fault is found once
    processor_seconds: int = 300  # tests that do not end have found something, too
    wall_seconds: int = 3600  # where others use the processor, or all threads wait
