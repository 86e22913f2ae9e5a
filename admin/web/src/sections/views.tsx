// Views: what recipients see of the map.
import type { StoredView } from '../../generated/api.ts';
import type { Row, Section } from '../app/section.ts';
import { number, t } from '../i18n/index.ts';
import { ViewPreviewOf } from './view_preview.tsx';

function seenBy(row: Row): string {
  const { tokens, public_map: everybody } = row as unknown as StoredView;
  return [...(everybody ? [t('Everybody')] : []), ...tokens].join(', ') || '–';
}

const stepCount = (row: Row) => number((row as unknown as StoredView).view.steps.length);

export const views: Section = {
  key: 'views', title: 'Views', singular: 'View', icon: 'eye',
  list: {
    columns: [
      { name: 'name', label: 'Name', sort: true },
      { name: 'view', label: 'Steps', narrow: true, cell: stepCount },
      { name: 'tokens', label: 'Seen by', cell: seenBy },
    ],
    search: true, sort: 'name', live: ['change'],
  },
  form: {
    add: 'admin', change: 'admin', remove: 'admin', below: ViewPreviewOf,
    fields: [
      { name: 'name', label: 'Name', kind: 'text', required: true, longest: 128 },
      { name: 'view', label: 'View as JSON', kind: 'json', required: true, start: '{\n  "steps": []\n}',
        help: 'Steps that say what is kept, dropped, rounded or renamed, such as {"steps": [{"drop": {"tag": "internal"}}, {"round": {"degrees": 0.5}}]}' },
    ],
  },
};
