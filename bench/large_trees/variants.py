"""The same map in other forms, which every reader of XML has to take."""

import re


def comments(line):
    return b"<!-- a remark -->\n" + line if line.startswith(b"<grenml:") else line


def instructions(line):
    return b"<?remark of somebody?>\n" + line if line.startswith(b"<grenml:") else line


def sections(line):
    return re.sub(rb"(:name>)([^<&]+)</", rb"\1<![CDATA[\2]]></", line)


def inside(line):
    """In the text of an element, and in front of a child of an element."""
    return line.replace(b"</grenml:name>", b"<!-- a remark --></grenml:name><?remark?>")


def numbers(line):
    return re.sub(r"[^\x00-\x7f]", lambda found: f"&#{ord(found[0])};",
                  line.decode("utf-8")).encode("ascii")


def crlf(line):
    return line.replace(b"\n", b"\r\n")


def prefixes(line):
    return line.replace(b"grenml:", b"map:").replace(b"xmlns:grenml=", b"xmlns:map=")


def encoded(name, mark=b""):
    def change(line):
        begins = line.startswith(b"<?xml")
        text = line.decode("utf-8")
        if begins:
            text = text.replace('encoding="utf-8"', f'encoding="{name.split("-le")[0]}"')
        return (mark if begins else b"") + text.encode(name)
    return change


VARIANTS = {
    "with comments": comments,
    "with processing instructions": instructions,
    "with remarks inside elements": inside,
    "with sections": sections,
    "with references by number": numbers,
    "with CR LF": crlf,
    "with another prefix": prefixes,
    "in UTF-16": encoded("utf-16-le", b"\xff\xfe"),
    "in ISO-8859-1": encoded("iso-8859-1"),
}


def write(plain, folder):
    """Writes all forms of the file `plain` into `folder`; their paths by name."""
    paths = {}
    for name, change in VARIANTS.items():
        paths[name] = folder / f"{plain.stem} {name}.xml"
        with open(plain, "rb") as source, open(paths[name], "wb") as target:
            target.writelines(map(change, source))
    return paths
