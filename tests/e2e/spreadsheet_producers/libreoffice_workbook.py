"""Writes the sheets of a JSON file as a workbook with LibreOffice: it opens them as an OpenDocument
spreadsheet, calculates the formulas and saves all as .xlsx.

Usage: libreoffice_workbook.py SHEETS.json OUT.xlsx    (77: LibreOffice is not installed)
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from xml.sax.saxutils import escape, quoteattr

TYPE = "application/vnd.oasis.opendocument.spreadsheet"
MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"'
    ' manifest:version="1.2">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{TYPE}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
    "</manifest:manifest>"
)
HEAD = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    ' xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2">'
    "<office:body><office:spreadsheet>"
)
TAIL = "</office:spreadsheet></office:body></office:document-content>"


def cell_xml(cell):
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, dict):
        return f'<table:table-cell table:formula={quoteattr("of:=" + cell["formula"])}/>'
    if isinstance(cell, str):
        lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in cell.split("\n"))
        return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{cell!r}"/>'


def sheet_xml(name, rows):
    cells = ("".join(map(cell_xml, row)) for row in rows)
    lines = "".join(f"<table:table-row>{line}</table:table-row>" for line in cells)
    return f"<table:table table:name={quoteattr(name)}>{lines}</table:table>"


office = shutil.which("soffice")
if office is None:
    print("LibreOffice is not installed (libreoffice-calc)", file=sys.stderr)
    sys.exit(77)

sheets_path, out = sys.argv[1:]
with open(sheets_path, encoding="utf-8") as file:
    sheets = json.load(file)

with tempfile.TemporaryDirectory() as folder:
    source = os.path.join(folder, "workbook.ods")
    with zipfile.ZipFile(source, "w") as archive:
        archive.writestr("mimetype", TYPE)
        archive.writestr("META-INF/manifest.xml", MANIFEST)
        archive.writestr(
            "content.xml", HEAD + "".join(sheet_xml(*sheet) for sheet in sheets.items()) + TAIL)
    # A profile of its own: two that share one do not run side by side.
    subprocess.run(
        [office, f"-env:UserInstallation=file://{folder}/profile", "--headless",
         "--convert-to", "xlsx", "--outdir", folder, source],
        check=True, stdout=subprocess.DEVNULL)
    shutil.move(os.path.join(folder, "workbook.xlsx"), out)
