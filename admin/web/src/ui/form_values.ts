// From a record to the values of a form and back, and what is wrong with them. No page here.
import type { Field, Row } from '../app/section.ts';
import type { Text } from '../i18n/index.ts';

export type Values = Record<string, unknown>;
export type Problems = Partial<Record<string, string>>;

export function valuesOf(fields: Field[], row: Row | null): Values {
  const values: Values = {};
  for (const field of fields) values[field.name] = row ? shownOf(field, row[field.name]) : startOf(field);
  return values;
}

const shownOf = (field: Field, value: unknown) => (field.kind === 'json' ? JSON.stringify(value, null, 2) : value);

function startOf(field: Field): unknown {
  if (field.start !== undefined) return field.start;
  if (field.kind === 'many' || field.kind === 'properties') return [];
  if (field.kind === 'switch') return false;
  if (field.kind === 'choice') return field.choices?.[0]?.value ?? '';
  return field.kind === 'one' || field.kind === 'entry' || field.kind === 'time' ? null : '';
}

// What is sent: fields that the reader may set; empty numbers and times as null.
export function bodyOf(fields: Field[], values: Values, row: Row | null): Values {
  const body: Values = {};
  for (const field of fields) {
    const isShown = !field.only || field.only === (row ? 'change' : 'add');
    const value = values[field.name];
    if (!isShown || field.kind === 'fixed') continue;
    if (field.kind === 'password' && !value) continue; // empty: as it was
    if (field.kind === 'decimal') body[field.name] = typeof value === 'string' && value.trim()
      ? value.trim() : null;
    else if (field.kind === 'whole') body[field.name] = Number(value);
    else if (field.kind === 'json') body[field.name] = JSON.parse(String(value));
    else if (field.kind === 'properties') body[field.name] = withoutEmpty(value);
    else body[field.name] = value;
  }
  return body;
}

const withoutEmpty = (value: unknown) =>
  (value as { name: string; value: string }[]).filter((row) => row.name !== '' || row.value !== '');

// The faults that need no server. It checks again, and more.
export function problemsOf(fields: Field[], values: Values, isNew: boolean): Problems {
  const problems: Problems = {};
  for (const field of fields) {
    if (field.only && field.only !== (isNew ? 'add' : 'change')) continue;
    const problem = problemOf(field, values[field.name]);
    if (problem) problems[field.name] = problem;
  }
  return problems;
}

function problemOf(field: Field, value: unknown): Text | null {
  const empty = value === null || value === undefined || value === ''
    || (Array.isArray(value) && value.length === 0);
  if (empty) return field.required ? 'This field is required.' : null;
  if (field.kind === 'json') return isJsonObject(String(value)) ? null : 'Enter a JSON object.';
  if (field.kind !== 'decimal' && field.kind !== 'whole') return null;
  const text = String(value).trim();
  const form = field.kind === 'whole' ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/;
  if (!form.test(text)) return 'Enter a number.';
  const [least, most] = field.range ?? [-Infinity, Infinity];
  return Number(text) < least || Number(text) > most ? 'This number is out of range.' : null;
}

export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);

// What was loaded anew, but for what was typed since `before` and is not saved.
export function withTyped<T extends object>(loaded: T, now: T, before: T): T {
  const names = Object.keys(now) as (keyof T)[];
  return { ...loaded, ...Object.fromEntries(names.filter((name) => differ(now[name], before[name])).map((name) => [name, now[name]])) };
}

export const changedFields = (fields: Field[], a: Values, b: Values): Field[] =>
  fields.filter(({ name }) => differ(a[name], b[name]));
