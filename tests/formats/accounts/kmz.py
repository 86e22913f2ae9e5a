"""KMZ: the first .kml of an archive."""

import io
import xml.etree.ElementTree as tree
import zipfile

from . import kml

ENDING = ".kmz"
SAMPLES = ["kml/*.kmz"]
REFUSED = {}
LOST = {}
LOSSLESS = True


def root_of(path):
    with zipfile.ZipFile(path) as archive:
        first = next(name for name in archive.namelist() if name.lower().endswith(".kml"))
        return tree.fromstring(archive.read(first))


def count(path):
    return kml.count_in(root_of(path))


def faults(path):
    return list(kml.faults_in(root_of(path)))


class Generator(kml.Generator):
    """The same maps as those of KML, among other files."""

    def file(self):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            if self.random.random() < 0.5:
                archive.writestr("images/node.png", b"none")
            archive.writestr("doc.kml", super().file())
            archive.writestr("more.kml", b"<none/>")
        return out.getvalue()
