// Fields of a record before and after a change.
import type { FieldValue, HistoryEntry } from '../../generated/api.ts';
import { furtherLabels } from '../app/record_fields.ts';
import { t, type Text } from '../i18n/index.ts';

// `secret`: it changed; the values stay unknown.
type FieldChange = HistoryEntry['fields'][number] & { secret?: boolean };

const fieldTexts: Record<string, Text> = {
  id: 'NetML ID', name: 'Name', short_name: 'Short name', version: 'Version', start: 'Start', end: 'End', coordinates: 'Place',
  altitude: 'Altitude (m)', unlocode: 'UN/LOCODE', address: 'Address', properties: 'Properties', main: 'Main', parent: 'Parent',
  owner: 'Owner', owners: 'Owners', topologies: 'Topologies', ends: 'Nodes', origin: 'Source',
  ...furtherLabels,
};
export const fieldText = (name: string): string => (fieldTexts[name] ? t(fieldTexts[name]) : name);
export const textOf = (value: FieldValue) => (Array.isArray(value) ? value.join(', ') : value);

export function ChangesTable({ fields }: { fields: FieldChange[] }) {
  if (fields.length === 0) return null;
  return (
    <table class="changes">
      <thead><tr><th>{t('Field')}</th><th>{t('Before')}</th><th>{t('After')}</th></tr></thead>
      <tbody>
        {fields.map(({ name, old, new: next, secret }) => (
          <tr key={name}>
            <th scope="row">{fieldText(name)}</th>
            {secret
              ? <td colSpan={2} class="muted">{t('Changed')} ({t('Hidden')})</td>
              : (
                <>
                  <td>{old === null ? '–' : <del>{textOf(old)}</del>}</td>
                  <td>{next === null ? '–' : <ins>{textOf(next)}</ins>}</td>
                </>
              )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
