// Asks before records are deleted, and tells all that would change with them, first of all what
// would stop working.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get, remove } from '../app/api.ts';
import { exportReason, type ExportState } from '../app/export_state.tsx';
import { collection, nameOf, type Row, type Section } from '../app/section.ts';
import { t, type Text } from '../i18n/index.ts';
import { ChangesList } from '../sections/changes_list.tsx';
import { Confirm } from './dialog.tsx';
import { Icon } from './icons.tsx';
import { attempt, done } from './notices.tsx';

type Counts = Record<(typeof kinds)[number], number>;
// What deletions would do; of the export what they would break.
interface Impact {
  deleted: Counts;
  changed: Counts;
  lose_owner: Counts;
  export: ExportState;
  examples: string[];
}
type Answer = Counts & {
  changes: Counts;
  lose_owner: Counts;
  export: ExportState;
  examples: { name: string }[];
};
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
  const impact = useSignal<Impact | null>(null);
  const asks = section.form?.falls ?? false;
  useEffect(() => {
    if (asks) void attempt(async () => { impact.value = await impactOf(section, rows); });
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
    <Confirm title={t('Delete?')} action={t('Delete')} danger wide={asks} onConfirm={() => void run()} onClose={onClose}>
      <p>{t('This will be deleted:')}</p>
      <ul class="plain">
        {rows.slice(0, namesMax).map((row) => <li key={row.number}><strong>{nameOf(row)}</strong></li>)}
        {rows.length > namesMax && <li>{t('and {n} more', { n: rows.length - namesMax })}</li>}
      </ul>
      {asks && (impact.value ? <ImpactList impact={impact.value} /> : <p aria-busy="true">{t('Loading …')}</p>)}
      {asks && rows.slice(0, namesMax).map((row) => <Changes key={row.number} section={section} row={row} />)}
    </Confirm>
  );
}

function ImpactList({ impact }: { impact: Impact }) {
  const { deleted, changed, lose_owner: loseOwner, export: exported, examples } = impact;
  return (
    <>
      {!exported.ok && (
        <p class="stops" role="alert">
          <Icon name="cut" /> <strong>{t('The export will fail: {reason}.', { reason: exportReason(exported) })}</strong>{' '}
          {t('No peer can collect this map until that is mended.')}
        </p>
      )}
      {sum(deleted) === 0 ? <p class="muted">{t('Nothing else will be deleted.')}</p>
        : <CountList title={t('And with it:')} counts={deleted} />}
      <p class="muted examples">{examples.join(', ')}</p>
      <CountList title={t('These lose an owner:')} counts={loseOwner} />
      <CountList title={t('These change in another way:')} counts={less(changed, loseOwner)} />
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
function Changes({ section, row }: { section: Section; row: Row }) {
  const open = useSignal(false);
  return (
    <details onToggle={(event) => { open.value = event.currentTarget.open; }}>
      <summary>{t('All changes: {name}', { name: nameOf(row) })}</summary>
      {open.value && <ChangesList address={`${collection(section)}/${row.number}/delete-impact/changes`} />}
    </details>
  );
}

const noCounts: Counts = { topologies: 0, institutions: 0, nodes: 0, links: 0 };
const sum = (counts: Counts) => kinds.reduce((total, kind) => total + counts[kind], 0);
const both = (a: Counts, b: Counts, sign: 1 | -1): Counts =>
  Object.fromEntries(kinds.map((kind) => [kind, a[kind] + sign * b[kind]])) as Counts;
const less = (a: Counts, b: Counts) => both(a, b, -1);

async function impactOf(section: Section, rows: Row[]): Promise<Impact> {
  const all: Impact = { deleted: noCounts, changed: noCounts, lose_owner: noCounts, export: { ok: true }, examples: [] };
  for (const row of rows) {
    const one = await get<Answer>(`${collection(section)}/${row.number}/delete-impact`);
    all.deleted = both(all.deleted, one, 1);
    all.changed = both(all.changed, one.changes, 1);
    all.lose_owner = both(all.lose_owner, one.lose_owner, 1);
    all.examples = [...all.examples, ...one.examples.map(({ name }) => name)].slice(0, namesMax);
    all.export = withProblems(all.export, one.export);
  }
  return all;
}

function withProblems(a: ExportState, b: ExportState): ExportState {
  const had = new Set((a.problems ?? []).map(({ topology }) => topology?.number));
  const problems = [...a.problems ?? [], ...(b.problems ?? []).filter(({ topology }) => !had.has(topology?.number))];
  return problems.length === 0 ? { ok: true } : { ok: false, problems, problem_count: problems.length };
}
