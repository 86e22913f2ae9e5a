// What was deleted, in the words of a notice.
import type { CountByKind } from '../../generated/api.ts';
import { collection, nameOf, type Row, type Section } from '../app/section.ts';
import { language, t, type Text } from '../i18n/index.ts';

export const deletableKinds = ['topologies', 'institutions', 'nodes', 'links'] as const;
const counted: Record<keyof CountByKind, Text> = {
  topologies: '{n} topologies',
  institutions: '{n} institutions',
  nodes: '{n} nodes',
  links: '{n} links',
};
export const isCounted = (collection: string): collection is keyof CountByKind => collection in counted;
export const countText = (kind: keyof CountByKind, n: number): string => t(counted[kind], { n });
export const countTexts = (counts: CountByKind): string[] =>
  deletableKinds.filter((kind) => counts[kind] > 0).map((kind) => countText(kind, counts[kind]));

export const sumOf = (counts: CountByKind) => deletableKinds.reduce((total, kind) => total + counts[kind], 0);

// What a deletion does beside deleting what was chosen.
export interface Consequences {
  deleted: CountByKind;
  changes: CountByKind;
}

// "Deleted: Trento and 1 link", "Deleted: 3 nodes and 7 links"
export function deletedText(section: Section, rows: Row[], consequences?: Consequences): string {
  const kind = deletableKinds.find((one) => one === collection(section));
  const { deleted, changes } = consequences ?? { deleted: none, changes: none };
  let parts: string[];
  if (rows.length === 1) parts = [nameOf(rows[0]!), ...countTexts(deleted)];
  else if (kind) parts = countTexts({ ...deleted, [kind]: deleted[kind] + rows.length });
  else return t('{n} records deleted', { n: rows.length });
  const text = t('Deleted: {what}', { what: new Intl.ListFormat(language(), { type: 'conjunction' }).format(parts) });
  const others = sumOf(changes);
  return others > 0 ? `${text}. ${t('{n} other records changed.', { n: others })}` : text;
}

const none: CountByKind = { topologies: 0, institutions: 0, nodes: 0, links: 0 };
