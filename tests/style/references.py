"""What comments and pages refer to is in the tree.

A reference is the path of a file, a section (by number or title) of a page, a rule (`S3`), or a
numbered decision. Rules and numbered decisions stand in docs/requirements/, each in one place, and
nothing stands there that is not referred to: a requirement that nobody cites is either met without
a word or forgotten, and a page does not tell which.
"""

import re

REQUIREMENTS = "docs/requirements"
SLASHES = {".cpp", ".hpp", ".h", ".js", ".ts", ".tsx", ".css"}
FOLDERS = r"(?:docs|engine|wal|codecs|net|admin|tests|bench|cmake)"

NUMBER = r"\d+(?:\.\d+)*"
BETWEEN = r"(?:,\s+and\s+|,\s*|\s+and\s+|\s+to\s+)"
PAGE = re.compile(r"(?<![\w/.*{}-])((?:\.{1,2}/)*(?:[\w-][\w.-]*/)*[\w-]+\.md)\b")
FILE = re.compile(rf"(?<![\w/.*{{}}$-])({FOLDERS}/[\w./-]+\.\w+)(?![\w/*{{<-])")
STANDARD = re.compile(r"\b(?:RFC \d+|ECMA-\d+|XML 1\.\d)\b")
SECTION = re.compile(rf"\b[Ss]ections?\s+({NUMBER}(?:{BETWEEN}{NUMBER})*)")
TITLE = re.compile(r"\.md[`)\]]*,?\s+(?:section\s+)?\"([^\"]+)\"")
DECISION = re.compile(rf"\b[Dd]ecisions?\s+(\d+(?:{BETWEEN}\d+)*)")
RULE = re.compile(r"(?<![\w.#/$-])([A-Z])(\d{1,2})(?:\s+to\s+\1(\d{1,2}))?(?![\w-])")
TEST_NAME = re.compile(r"\b(?:TEST(?:_[FP])?|TYPED_TEST|RC_GTEST_(?:FIXTURE_)?PROP)"
                       r"\(\s*\w+,\s*(\w+)")
RULE_OF_TEST = re.compile(r"(?:_|(?<=[a-z]))([A-Z]\d{1,2})(?=_|$)")
RULE_OF_FAULT = re.compile(r"\"([A-Z]\d{1,2})\"")
OUTSIDE = re.compile(r"\b(?:interface specification|of the specification"
                     r"|(?:durability|security) rules?|invariant \d+|issue #?\d+)\b")
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")


def page_of_link(match):
    """A link as a reference by words; another check sees that it leads somewhere."""
    page = re.sub(r"#.*", "", match[2])
    if not page.endswith(".md") or ":" in page:
        return match[1]
    return page if match[1].endswith(".md") else f"{match[1]} {page}"


class Block:
    """The lines of one comment, or of one paragraph, as one text."""

    def __init__(self):
        self.text = ""
        self.starts = []

    def add(self, number, text):
        self.starts.append((len(self.text), number))
        self.text += text + " "

    def line(self, offset):
        return [number for start, number in self.starts if start <= offset][-1]


def comment_of(path, line, quoted):
    """The part of a line that is for people, or None."""
    if path.suffix == ".md":
        return None if quoted else LINK.sub(page_of_link, line)
    if path.suffix in SLASHES:
        match = re.search(r"(?:^|(?<=[\s;{}(),]))(?://+|/\*+)(.*)", line)
        if match is None and path.suffix in {".css", ".ts", ".tsx", ".js"}:
            match = re.match(r"\s*\*(.*)", line)
        return match and match[1]
    if quoted:
        return LINK.sub(r"\1", line)
    match = re.search(r"(?:^|(?<=\s))#(.*)", line)
    return match and match[1]


def blocks(path, lines):
    """The comments of a file, or its paragraphs."""
    block, quoted = Block(), False
    for number, line in lines:
        if path.suffix == ".md":
            fence = line.lstrip().startswith("```")
        else:
            fence = path.suffix not in SLASHES and line.count('"""') % 2 == 1
        comment = comment_of(path, line, quoted or (fence and path.suffix != ".md"))
        quoted ^= fence
        if comment is None or not comment.strip():
            if block.text:
                yield block
            block = Block()
        else:
            block.add(number, comment.strip())
    if block.text:
        yield block


def numbers_of(text):
    """ "2, 4 to 6 and 9.1" as the numbers that it means."""
    found = []
    for first, last in re.findall(rf"({NUMBER})(?:\s+to\s+({NUMBER}))?", text):
        found.append(first)
        stem, _, begin = first.rpartition(".")
        end = last.rpartition(".")[2]
        if last and last.rpartition(".")[0] == stem:
            found += [(stem + "." if stem else "") + str(number)
                      for number in range(int(begin) + 1, int(end) + 1)]
        elif last:
            found.append(last)
    return found


class Requirements:
    """What docs/requirements/ has: where each rule and decision stands, and which were cited."""

    def __init__(self, tree):
        self.tree = tree
        self.headings = {}
        self.rules = {}
        self.decisions = {}
        self.doubled = []
        self.cited = set()
        for path in tree.of_type({".md"}):
            if path.as_posix().startswith(REQUIREMENTS + "/"):
                self.read(path)
        self.letters = {rule[0] for rule in self.rules}

    def read(self, path):
        for number, line in self.tree.lines(path):
            match = re.match(r"(?:\| |- \*\*)([A-Z]\d{1,2}|\d+)(?: \||\*\*)", line)
            if match:
                entries = self.decisions if match[1].isdigit() else self.rules
                if match[1] in entries:
                    self.doubled.append(f"{path}:{number}: {match[1]} stands "
                                        f"at {entries[match[1]]}, too")
                entries[match[1]] = f"{path}:{number}"

    def sections(self, page):
        """By number or title of a heading, its line."""
        if page not in self.headings:
            found = self.headings[page] = {}
            for number, line in self.tree.lines(page):
                match = re.match(rf"#+\s+(?:({NUMBER})\.?\s+)?(.*?)\s*$", line)
                if match:
                    found[match[2]] = number
                    if match[1]:
                        found[match[1]] = number
        return self.headings[page]

    def cite(self, kind, value, page=None):
        """Whether that is there."""
        if page is None:
            known = self.rules if kind == "rule" else self.decisions
        else:
            known = self.sections(page)
            self.cited.add((page, value))
        self.cited.add((kind, value))
        return value in known

    def section_is_cited(self, page, number):
        """It, one that it is part of, or a part of it."""
        return any(cited.startswith(number + ".") or (number + ".").startswith(cited + ".")
                   for owner, cited in self.cited if owner == page)

    def uncited(self):
        """Entries that nobody refers to."""
        for kind, entries in (("rule", self.rules), ("decision", self.decisions)):
            for entry, place in entries.items():
                if (kind, entry) not in self.cited:
                    yield f"{place}: nothing refers to {kind} {entry}"
        for path in self.tree.of_type({".md"}):
            page = path.as_posix()
            if page.startswith(REQUIREMENTS + "/"):
                for number, line in self.uncited_sections(page):
                    yield f"{page}:{line}: nothing refers to section {number}"

    def uncited_sections(self, page):
        """Sections that only hold others, or rules, need nobody who refers to them."""
        sections = {number: line for number, line in self.sections(page).items()
                    if re.fullmatch(NUMBER, number)}
        rules = [int(place.rpartition(":")[2]) for place in self.rules.values()
                 if place.startswith(page + ":")]
        for number, line in sections.items():
            end = min((other for other in sections.values() if other > line), default=None)
            holds = any(other.startswith(number + ".") for other in sections)
            holds |= any(line < rule and (end is None or rule < end) for rule in rules)
            if not holds and not self.section_is_cited(page, number):
                yield number, line


class Reader:
    """Reads the references of one file, from top to bottom."""

    def __init__(self, requirements, path):
        self.requirements = requirements
        self.root = requirements.tree.root
        self.path = path
        self.requirement = None  # the page of docs/requirements/ that was named last
        self.owner = None  # of a section that comes next: a page, or the name of a standard

    def resolve(self, name):
        """A page by its path from the root, or from where it is named."""
        for base in (self.root, self.root / self.path.parent):
            if (base / name).is_file():
                return (base / name).resolve().relative_to(self.root.resolve()).as_posix()
        return None

    def faults(self, block):
        """Each fault of a comment, with its line."""
        readers = ((PAGE, self.page), (STANDARD, self.standard), (SECTION, self.section),
                   (TITLE, self.title), (FILE, self.file), (DECISION, self.decision),
                   (RULE, self.rule), (OUTSIDE, self.outside))
        found = [(match.start(), reader, match)
                 for pattern, reader in readers for match in pattern.finditer(block.text)]
        self.owner = self.requirement
        for offset, reader, match in sorted(found, key=lambda item: item[0]):
            for fault in reader(match):
                yield f"{self.path}:{block.line(offset)}: {fault}"

    def page(self, match):
        self.owner = self.resolve(match[1])
        if self.owner is None:
            yield f"there is no page {match[1]}"
        elif self.owner.startswith(REQUIREMENTS + "/"):
            self.requirement = self.owner

    def standard(self, match):
        self.owner = match[0]
        return ()

    def section(self, match):
        if self.owner is None:
            yield f"{match[0]} of which page?"
        elif self.owner.endswith(".md"):
            for number in numbers_of(match[1]):
                if not self.requirements.cite("section", number, self.owner):
                    yield f"{self.owner} has no section {number}"

    def title(self, match):
        if self.owner and not self.requirements.cite("section", match[1], self.owner):
            yield f'{self.owner} has no section "{match[1]}"'

    def file(self, match):
        placeholder = re.search(r"/[A-Z]+\.", match[1])
        if not placeholder and not match[1].endswith(".md") and not (self.root / match[1]).exists():
            yield f"there is no file {match[1]}"

    def decision(self, match):
        for number in numbers_of(match[1]):
            if not self.requirements.cite("decision", number):
                yield f"there is no decision {number}"

    def rule(self, match):
        if match[1] in self.requirements.letters:
            for number in range(int(match[2]), int(match[3] or match[2]) + 1):
                if not self.requirements.cite("rule", f"{match[1]}{number}"):
                    yield f"there is no rule {match[1]}{number}"

    def outside(self, match):
        yield f"this is not in the tree: {match[0]}"

    def rules_of_tests(self):
        """Tests are named after rules (Suite.Name_S3), and planted faults name what they break."""
        for number, line in self.requirements.tree.lines(self.path):
            if self.path.suffix == ".py":
                rules = RULE_OF_FAULT.findall(line)
            else:
                match = TEST_NAME.search(line)
                rules = RULE_OF_TEST.findall(match[1]) if match else []
            for rule in rules:
                is_rule = rule[0] in self.requirements.letters
                if is_rule and not self.requirements.cite("rule", rule):
                    yield f"{self.path}:{number}: there is no rule {rule}"


def is_script(file):
    with file.open("rb") as content:
        return content.read(2) == b"#!"


def references(tree):
    """Whatever a comment or a page refers to exists, and each requirement is referred to."""
    requirements = Requirements(tree)
    yield from requirements.doubled
    scripts = [path for path in tree.files if not path.suffix and is_script(tree.root / path)]
    for path in dict.fromkeys(tree.sources() + scripts):
        if path.parts[:2] == ("tests", "style"):  # names what it forbids
            continue
        reader = Reader(requirements, path)
        cited = set(requirements.cited)
        for block in blocks(path, tree.lines(path)):
            yield from reader.faults(block)
        if path.suffix == ".cpp" or path.parts[:2] == ("tests", "planted_faults"):
            yield from reader.rules_of_tests()
        if path.as_posix().startswith(REQUIREMENTS + "/"):
            requirements.cited = cited  # what they say of each other proves nothing
    yield from requirements.uncited()
