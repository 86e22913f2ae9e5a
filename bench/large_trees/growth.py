"""Growth of the time of an import over the size of the map: the exponent for each shape."""

import math

SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000]
LONG_SIZES = [*SIZES, 3_000_000, 10_000_000]
QUICK_SIZES = [3_000, 10_000, 20_000]
EXPONENT_MAX = 1.05  # over all sizes
LAST_EXPONENT_MAX = 1.1  # between the two largest


def runs_of(size):
    """Short runs are repeated, because the machine disturbs them more."""
    return max(1, min(5, 100_000 // size))


def measure(programs, sizes, progress):
    shapes = []
    for name, title in programs.shapes():
        points = []
        for size in sizes:
            progress(f"growth of {name}, {size:,} elements")
            figures, used = programs.scenario_used("--runs", runs_of(size), "growth", name, size)
            points.append({"elements": figures["elements"], "bytes": figures["bytes"],
                           "seconds": min(figures["seconds"]), "all": figures["seconds"],
                           "peak": used.peak})
        shapes.append({"name": name, "title": title, "points": points,
                       "exponent": exponent(points), "last_exponent": exponent(points[-2:])})
    return shapes


def met(shape):
    return (shape["exponent"] <= EXPONENT_MAX and shape["last_exponent"] <= LAST_EXPONENT_MAX)


def exponent(points):
    """Slope of the straight line through the points on log-log paper (least squares)."""
    xs = [math.log(point["elements"]) for point in points]
    ys = [math.log(point["seconds"]) for point in points]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - x_mean) ** 2 for x in xs)
