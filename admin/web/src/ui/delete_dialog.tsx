// Asks before records are deleted, and tells what would fall with them.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get, remove } from '../app/api.ts';
import { collection, nameOf, type Row, type Section } from '../app/section.ts';
import { t, type Text } from '../i18n/index.ts';
import { Confirm } from './dialog.tsx';
import { attempt, done } from './notices.tsx';

interface Falls {
  topologies: number;
  institutions: number;
  nodes: number;
  links: number;
  examples: { kind: string; number: number; name: string }[];
}
const kinds = ['topologies', 'institutions', 'nodes', 'links'] as const;
const counted: Record<(typeof kinds)[number], Text> = {
  topologies: '{n} topologies',
  institutions: '{n} institutions',
  nodes: '{n} nodes',
  links: '{n} links',
};

interface Props {
  section: Section;
  rows: Row[];
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteDialog({ section, rows, onClose, onDeleted }: Props) {
  const falls = useSignal<Falls | null>(null);
  useEffect(() => {
    if (section.form?.falls) void attempt(async () => { falls.value = await fallsWith(section, rows); });
  }, []);
  const run = async () => {
    const deleted = await attempt(async () => {
      for (const row of rows) await remove(`${collection(section)}/${row.number}`);
    });
    if (deleted) done(t('{n} records deleted', { n: rows.length }));
    onClose();
    if (deleted) onDeleted();
  };
  return (
    <Confirm title={t('Delete?')} action={t('Delete')} danger onConfirm={() => void run()} onClose={onClose}>
      <p>{t('This will be deleted:')}</p>
      <ul class="plain">
        {rows.slice(0, 10).map((row) => <li key={row.number}><strong>{nameOf(row)}</strong></li>)}
        {rows.length > 10 && <li>{t('and {n} more', { n: rows.length - 10 })}</li>}
      </ul>
      {section.form?.falls && <FallsList falls={falls.value} />}
    </Confirm>
  );
}

function FallsList({ falls }: { falls: Falls | null }) {
  if (!falls) return <p aria-busy="true">{t('Loading …')}</p>;
  const total = kinds.reduce((sum, kind) => sum + falls[kind], 0);
  if (total === 0) return <p class="muted">{t('Nothing else falls with it.')}</p>;
  return (
    <>
      <p>{t('And with it:')}</p>
      <ul class="plain falls">
        {kinds.filter((kind) => falls[kind] > 0).map((kind) => (
          <li key={kind}>{t(counted[kind], { n: falls[kind] })}</li>
        ))}
      </ul>
      <p class="muted examples">{falls.examples.map((example) => example.name).join(', ')}</p>
    </>
  );
}

async function fallsWith(section: Section, rows: Row[]): Promise<Falls> {
  const sum: Falls = { topologies: 0, institutions: 0, nodes: 0, links: 0, examples: [] };
  for (const row of rows) {
    const one = await get<Falls>(`${collection(section)}/${row.number}/falls`);
    for (const kind of kinds) sum[kind] += one[kind];
    sum.examples = [...sum.examples, ...one.examples].slice(0, 10);
  }
  return sum;
}
