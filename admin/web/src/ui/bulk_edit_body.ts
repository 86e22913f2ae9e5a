// What several records are to have in common, as the server takes it. No page here.
import type { Reference } from '../../generated/api.ts';
import type { Field } from '../app/section.ts';
import type { Text } from '../i18n/index.ts';
import { bodyOf } from './form_values.ts';

export type Way = 'set' | 'add' | 'remove';

// What is one record's alone.
const ofOneRecord = new Set(['id', 'name', 'node_a', 'node_b', 'latitude', 'longitude', 'altitude']);

export const editableFields = (fields: Field[]): Field[] => fields.filter(({ name }) => !ofOneRecord.has(name));

// What a record always has: emptied in the form of one record it is now, in that of several it would be
// lost.
const neverEmpty = new Set(['version']);

const isList = (field: Field) => field.kind === 'many' || field.kind === 'properties';

export const waysOf = (field: Field): Way[] => (isList(field) ? ['add', 'remove', 'set'] : ['set']);

// Of properties only the names are taken away, with all their values.
export function valueField(field: Field, way: Way): Field {
  if (field.kind === 'properties' && way === 'remove') return { name: field.name, label: 'Names of properties', kind: 'text', required: true };
  if (!neverEmpty.has(field.name)) return { ...field, required: isList(field) };
  const { name, label, kind } = field; // without the help, which tells what an empty one becomes
  return { name, label, kind, required: true };
}

export function editOf(field: Field, way: Way, value: unknown): object {
  return { [way]: { [field.name]: valueOf(field, way, value) } };
}

function valueOf(field: Field, way: Way, value: unknown): unknown {
  if (field.kind === 'many') return ((value ?? []) as Reference[]).map(({ number }) => number);
  if (field.kind === 'properties' && way === 'remove') return String(value).split(',').map((name) => name.trim()).filter(Boolean);
  return bodyOf([field], { [field.name]: value }, null)[field.name];
}

export const wayTexts: Record<Way, Text> = { set: 'Set', add: 'Add', remove: 'Remove' };
