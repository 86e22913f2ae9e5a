"""Growth curves as SVG: seconds over elements, both logarithmic."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 70, 300, 50, 60
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#5b5b5b", "#7a3db8",
           "#8c510a", "#01665e", "#b2182b"]


class Axis:
    """Maps the logarithm of a value onto a stretch of the picture."""

    def __init__(self, values, begin, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self.begin, self.end = begin, end

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.begin + share * (self.end - self.begin), 1)

    def ticks(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def growth_chart(shapes):
    points = [point for shape in shapes for point in shape["points"]]
    x = Axis([point["elements"] for point in points], LEFT, WIDTH - RIGHT)
    y = Axis([point["seconds"] for point in points], HEIGHT - BOTTOM, TOP)
    parts = [*frame(x, y), *linear(x, y)]
    for place, (shape, colour) in enumerate(zip(shapes, COLOURS)):
        parts += curve(shape, colour, x, y)
        parts += legend(shape, colour, TOP + 10 + 34 * place)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="sans-serif" font-size="12">\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


def text(x, y, words, anchor="start", more=""):
    return (f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="#222222"{more}>'
            f'{escape(words)}</text>')


def line(x1, y1, x2, y2, more):
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {more}/>'


def frame(x, y):
    grid = 'stroke="#dddddd"'
    parts = [text(LEFT, 28, "Import: time over size", more=' font-size="16"')]
    for value in x.ticks():
        parts.append(line(x.place(value), y.begin, x.place(value), y.end, grid))
        parts.append(text(x.place(value), y.begin + 20, f"{value:,.0f}", "middle"))
    for value in y.ticks():
        parts.append(line(x.begin, y.place(value), x.end, y.place(value), grid))
        parts.append(text(x.begin - 8, y.place(value) + 4, f"{value:g} s", "end"))
    parts.append(text((x.begin + x.end) / 2, HEIGHT - 16, "elements", "middle"))
    return parts


def linear(x, y):
    """What linear growth looks like, through the middle of the picture."""
    decades = min(x.high - x.low, y.high - y.low)
    ends = [(x.place(10.0 ** (x.low + d)), y.place(10.0 ** (y.low + d))) for d in (0, decades)]
    (x1, y1), (x2, y2) = ends
    return [line(x1, y1, x2, y2, 'stroke="#999999" stroke-dasharray="4 4"'),
            text(x2 - 6, y2 + 16, "linear", "end", ' font-style="italic"')]


def curve(shape, colour, x, y):
    places = [(x.place(p["elements"]), y.place(p["seconds"])) for p in shape["points"]]
    path = " ".join(f"{px},{py}" for px, py in places)
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>']
    parts += [f'<circle cx="{px}" cy="{py}" r="2.6" fill="{colour}"/>' for px, py in places]
    return parts


def legend(shape, colour, y):
    x = WIDTH - RIGHT + 20
    return [line(x, y - 4, x + 18, y - 4, f'stroke="{colour}" stroke-width="3"'),
            text(x + 26, y, shape["title"], more=' font-size="11"'),
            text(x + 26, y + 14, f"exponent {shape['exponent']:.2f}", more=' font-size="11"')]
