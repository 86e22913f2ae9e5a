"""Writes the sheets of a JSON file as a workbook with openpyxl.

Usage: openpyxl_workbook.py SHEETS.json OUT.xlsx    (77: openpyxl is not installed)
openpyxl cannot keep the result of a formula.
"""
import json
import sys

try:
    import openpyxl
except ImportError:
    print("openpyxl is not installed (python3-openpyxl)", file=sys.stderr)
    sys.exit(77)

sheets_path, out = sys.argv[1:]
with open(sheets_path, encoding="utf-8") as file:
    sheets = json.load(file)

workbook = openpyxl.Workbook()
workbook.remove(workbook.active)
for name, rows in sheets.items():
    sheet = workbook.create_sheet(name)
    for row in rows:
        sheet.append(["=" + cell["formula"] if isinstance(cell, dict) else cell for cell in row])
workbook.save(out)
