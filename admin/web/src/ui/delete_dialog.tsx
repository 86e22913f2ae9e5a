// Asks before records are deleted, and tells all that would change with them, first of all what
// would stop working.
import { useSignal } from '@preact/signals';
import { post, query, remove } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import { collection, nameOf, type Row, type Section } from '../app/section.ts';
import { t, type Text } from '../i18n/index.ts';
import { ChangesList, type Changes } from '../sections/changes_list.tsx';
import { ExportStops, type Preview } from '../sections/preview.tsx';
import { Confirm } from './dialog.tsx';
import { attempt, changed } from './notices.tsx';

type Counts = Record<(typeof kinds)[number], number>;
// What the deletion would do beside deleting what was chosen.
interface Impact {
  impact: Counts & { changes: Counts; lose_owner: Counts; examples: { name: string }[] };
}
const kinds = ['topologies', 'institutions', 'nodes', 'links'] as const;
const counted: Record<(typeof kinds)[number], Text> = {
  topologies: '{n} topologies',
  institutions: '{n} institutions',
  nodes: '{n} nodes',
  links: '{n} links',
};
const namesMax = 10;

interface Props {
  section: Section;
  rows: Row[];
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteDialog({ section, rows, onClose, onDeleted }: Props) {
  const asks = section.form?.falls ?? false;
  const all = `${collection(section)}/delete`;
  const chosen = { numbers: rows.map((row) => row.number) };
  const load = <T,>(cursor: string | null) => post<T>(`${all}${query({ preview: 'true', cursor, limit: 50 })}`, chosen);
  const { value: preview, problem, reload } = useLoaded('', async () => (asks ? load<Preview & Impact>(null) : null));
  const run = async () => {
    const deleted = await attempt(async () => {
      if (rows.length === 1) await remove(`${collection(section)}/${rows[0]!.number}`);
      else await post(all, chosen);
    });
    if (deleted) changed(t('{n} records deleted', { n: rows.length }));
    onClose();
    if (deleted) onDeleted();
  };
  return (
    <Confirm title={t('Delete?')} action={t('Delete')} danger wide={asks} ready={!asks || preview !== null}
      onConfirm={() => void run()} onClose={onClose}>
      <p>{t('This will be deleted:')}</p>
      <ul class="plain">
        {rows.slice(0, namesMax).map((row) => <li key={row.number}><strong>{nameOf(row)}</strong></li>)}
        {rows.length > namesMax && <li>{t('and {n} more', { n: rows.length - namesMax })}</li>}
      </ul>
      {asks && !preview && <Waiting problem={problem} />}
      {problem && <button type="button" onClick={() => void reload()}>{t('Try again')}</button>}
      {preview && <ImpactList preview={preview} />}
      {preview && <AllChanges preview={preview} more={load} />}
    </Confirm>
  );
}

function ImpactList({ preview }: { preview: Preview & Impact }) {
  const { changes, lose_owner: loseOwner, examples, ...deleted } = preview.impact;
  const names = examples.slice(0, namesMax).map(({ name }) => name);
  return (
    <>
      <ExportStops state={preview.export} />
      {sum(deleted) === 0 ? <p class="muted">{t('Nothing else will be deleted.')}</p>
        : <CountList title={t('And with it:')} counts={deleted} />}
      <p class="muted examples">{names.join(', ')}</p>
      <CountList title={t('These lose an owner:')} counts={loseOwner} />
      <CountList title={t('These change in another way:')} counts={less(changes, loseOwner)} />
    </>
  );
}

function CountList({ title, counts }: { title: string; counts: Counts }) {
  if (sum(counts) === 0) return null;
  return (
    <>
      <p>{title}</p>
      <ul class="plain falls">
        {kinds.filter((kind) => counts[kind] > 0).map((kind) => (
          <li key={kind}>{t(counted[kind], { n: counts[kind] })}</li>
        ))}
      </ul>
    </>
  );
}

// Each element with its fields before and after, once somebody wants to see them.
function AllChanges({ preview, more }: { preview: Preview; more: (cursor: string) => Promise<Changes> }) {
  const open = useSignal(false);
  return (
    <details onToggle={(event) => { open.value = event.currentTarget.open; }}>
      <summary>{t('All changes ({n})', { n: preview.total })}</summary>
      {open.value && <ChangesList of={preview} load={(cursor) => (cursor === null ? Promise.resolve(preview) : more(cursor))} />}
    </details>
  );
}

const sum = (counts: Counts) => kinds.reduce((total, kind) => total + counts[kind], 0);
const less = (a: Counts, b: Counts): Counts =>
  Object.fromEntries(kinds.map((kind) => [kind, a[kind] - b[kind]])) as Counts;
