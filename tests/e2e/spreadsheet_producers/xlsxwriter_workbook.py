"""Writes the sheets of a JSON file as a workbook with XlsxWriter.

Usage: xlsxwriter_workbook.py SHEETS.json OUT.xlsx    (77: XlsxWriter is not installed)
A formula whose result is not given gets the result 0, to be calculated by who opens it.
"""
import json
import sys

try:
    import xlsxwriter
except ImportError:
    print("XlsxWriter is not installed (python3-xlsxwriter)", file=sys.stderr)
    sys.exit(77)

sheets_path, out = sys.argv[1:]
with open(sheets_path, encoding="utf-8") as file:
    sheets = json.load(file)

with xlsxwriter.Workbook(out) as workbook:
    for name, rows in sheets.items():
        sheet = workbook.add_worksheet(name)
        for y, row in enumerate(rows):
            for x, cell in enumerate(row):
                if isinstance(cell, dict):
                    sheet.write_formula(y, x, "=" + cell["formula"], None, cell.get("result", 0))
                elif isinstance(cell, str):
                    sheet.write_string(y, x, cell)
                elif cell is not None:
                    sheet.write_number(y, x, cell)
