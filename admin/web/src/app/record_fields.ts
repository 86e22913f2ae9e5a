// Texts of records that came later than the first format: they need no code of their own in forms,
// lists and histories. One line for each, as engine/graph/attributes.hpp describes it; a test
// (RecordFields.OfTheSiteAreThoseOfTheDescription) compares the two.
import type { Text } from '../i18n/index.ts';
import type { Column, Field } from './section.ts';

type Records = 'topologies' | 'institutions' | 'nodes' | 'links';

interface FurtherText {
  name: string;
  label: Text;
  longest: number;
  of: readonly Records[];
}

const furtherTexts: readonly FurtherText[] = [
];

const textsOf = (records: Records) => furtherTexts.filter((text) => text.of.includes(records));

export const furtherColumns = (records: Records): Column[] =>
  textsOf(records).map(({ name, label }) => ({ name, label, sort: true }));

export const furtherFields = (records: Records): Field[] =>
  textsOf(records).map(({ name, label, longest }) => ({ name, label, longest, kind: 'text' }));

export const furtherLabels: Record<string, Text> =
  Object.fromEntries(furtherTexts.map(({ name, label }) => [name, label]));
