// A list as CSV: the columns that are shown, all rows that its filters admit.
import { getTagged, query, type Page } from '../app/api.ts';
import { collection, type Column, type Row, type Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';

const rowsMax = 100_000;
const pageSize = 1000;
const timesMost = 3;

// The value behind a cell, so that a program can read it whatever the language: of what is referred to
// the name, of a time the ISO form in UTC. What has no such value is as the cell shows it.
export function textOf({ name, cell, csv }: Column, row: Row): string {
  if (csv) return csv(row);
  const value = row[name];
  if (value === null) return '';
  if (isReference(value)) return value.name;
  if (Array.isArray(value) && value.every(isReference)) return value.map((each) => each.name).join(', ');
  if (value !== undefined && typeof value !== 'object') return String(value);
  const shown = cell?.(row);
  if (typeof shown === 'string' || typeof shown === 'number') return shown === '–' ? '' : String(shown);
  return value === undefined ? '' : JSON.stringify(value);
}

const isReference = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && typeof (value as { name?: unknown }).name === 'string';

// Programs for spreadsheets would calculate what begins like a formula (docs/formats/sheets.md). Those
// that separate cells by semicolons or tabs begin one behind each of these, whatever is in quotes.
const isNumber = (text: string) => /^[+-]?\d+(\.\d+)?$/.test(text);
const isFormula = (text: string) => /^[=+\-@\t\r]/.test(text) && !isNumber(text);
const marked = (text: string) => (isFormula(text) ? `'${text}` : text);
const markedInside = (text: string) => text.replace(/([;\t])([=+\-@][^;\t\r\n]*)/g, (_all, separator: string, rest: string) => separator + marked(rest));

function cellOf(text: string): string {
  const safe = markedInside(marked(text));
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const lineOf = (cells: string[]) => `${cells.map(cellOf).join(',')}\r\n`;

export const csvOf = (columns: Column[], rows: Row[]): string =>
  [columns.map(({ label }) => t(label)), ...rows.map((row) => columns.map((column) => textOf(column, row)))].map(lineOf).join('');

interface Found {
  rows: Row[];
  total: number;
}
type Load = (path: string) => Promise<{ value: Page<Row>; tag: string | null }>;

// The rows of a list and how many there are in all. `values`: its search, filters and order. Pages are
// cut by number, so a change between two of them could lose a row: then all begins anew, the last time
// whatever happens.
export async function rowsOf(section: Section, values: Record<string, string>, load: Load = getTagged): Promise<Found> {
  for (let times = 1; times < timesMost; times++) {
    const found = await rowsOnce(section, values, load, true);
    if (found) return found;
  }
  return (await rowsOnce(section, values, load, false))!;
}

// Null: it `mustStay` as it was at the first page, and did not.
async function rowsOnce(section: Section, values: Record<string, string>, load: Load, mustStay: boolean): Promise<Found | null> {
  const rows: Row[] = [];
  let first: string | null | undefined;
  for (let cursor: string | null = null; ;) {
    const { value: page, tag } = await load(collection(section) + query({ ...values, limit: pageSize, cursor }));
    first ??= tag;
    if (mustStay && tag !== first) return null;
    rows.push(...page.items);
    cursor = page.next;
    if (!cursor || rows.length >= rowsMax) return { rows, total: page.total ?? rows.length };
  }
}
