"""The table of the documentation that shows what each change brought: a column for each."""

import json

BEGIN, END = "<!-- bench/run --keep -->\n", "<!-- end of bench/run --keep -->"


class Changes:
    """The columns that were kept, oldest first; each has a name and figures by row."""

    def __init__(self, path):
        self.path = path
        self.columns = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []

    def keep(self, name, result, rows):
        """A column of that name is replaced."""
        figures = {row.what: {"value": row.value, "unit": row.unit, "target": row.target}
                   for row in rows}
        column = {"name": name, "date": result["date"], "revision": result["revision"],
                  "p_seconds": result["p_seconds"], "figures": figures}
        self.columns = [kept for kept in self.columns if kept["name"] != name] + [column]
        self.path.write_text(json.dumps(self.columns, indent=1) + "\n", encoding="utf-8")

    def first(self, what):
        """The oldest number of a row; none where nothing was measured."""
        for column in self.columns:
            value = column["figures"].get(what, {}).get("value")
            if isinstance(value, int | float):
                return value
        return None

    def whats(self):
        """All rows, as the newest column orders them; those that only older ones have come last."""
        names = {}
        for column in reversed(self.columns):
            names |= dict.fromkeys(column["figures"])
        return list(names)

    def as_markdown(self):
        titles = [self._title(column) for column in self.columns]
        lines = [["what", *titles, "target"], ["---"] + ["---:"] * (len(titles) + 1)]
        lines += [[what, *(figure(column["figures"].get(what)) for column in self.columns),
                   figure(self._target(what))] for what in self.whats()]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"

    def _target(self, what):
        entry = next(column["figures"][what] for column in reversed(self.columns)
                     if what in column["figures"])
        target = entry.get("target")
        return None if target is None else {"value": target, "unit": entry["unit"]}

    @staticmethod
    def _title(column):
        if "p_seconds" not in column:
            return column["name"]
        return f"{column['name']} ({column['date']}, P = {column['p_seconds']:.3f} s)"

    def renew(self, page):
        """Replaces what stands between the two marks of a page."""
        page.write_text(between(page.read_text(encoding="utf-8"), BEGIN, END, self.as_markdown()),
                        encoding="utf-8")


def between(text, begin, end, new):
    """`text` with `new` between two marks; unchanged if it lacks one of them."""
    if begin not in text or end not in text:
        return text
    before, rest = text.split(begin, 1)
    return before + begin + new + end + rest.split(end, 1)[1]


def figure(entry):
    if entry is None:
        return ""
    value = entry["value"]
    if isinstance(value, str):  # as a page of words says it: "4.1 to 5.9"
        return f"{value} {entry['unit']}"
    return f"{value:,.0f} {entry['unit']}" if abs(value) >= 100 else f"{value:.3g} {entry['unit']}"
