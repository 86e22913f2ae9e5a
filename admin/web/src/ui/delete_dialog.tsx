// Asks before records are deleted, and tells all that would change with them, first of all what
// would stop working.
import { useSignal } from '@preact/signals';
import { post, query, remove } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import { collection, nameOf, type Row, type Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { ChangesList, type Changes } from '../sections/changes_list.tsx';
import { ExportStops, type Preview } from '../sections/preview.tsx';
import { countTexts, deletableKinds, deletedText, sumOf, type KindCounts } from './deleted_text.ts';
import { Confirm } from './dialog.tsx';
import { attempt, changed } from './notices.tsx';
import { UndoHint } from './undo_hint.tsx';

// What the deletion would do beside deleting what was chosen.
interface Impact {
  impact: KindCounts & { changes: KindCounts; lose_owner: KindCounts; examples: { name: string }[] };
}
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
    if (deleted) changed(deletedText(section, rows, preview ? { deleted: preview.impact, changes: preview.impact.changes } : undefined));
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
      {asks && <UndoHint />}
    </Confirm>
  );
}

function ImpactList({ preview }: { preview: Preview & Impact }) {
  const { changes, lose_owner: loseOwner, examples, ...deleted } = preview.impact;
  const names = examples.slice(0, namesMax).map(({ name }) => name);
  return (
    <>
      <ExportStops state={preview.export} />
      {sumOf(deleted) === 0 ? <p class="muted">{t('Nothing else will be deleted.')}</p>
        : <CountList title={t('And with it:')} counts={deleted} />}
      <p class="muted examples">{names.join(', ')}</p>
      <CountList title={t('These lose an owner:')} counts={loseOwner} />
      <CountList title={t('These change in another way:')} counts={less(changes, loseOwner)} />
    </>
  );
}

function CountList({ title, counts }: { title: string; counts: KindCounts }) {
  if (sumOf(counts) === 0) return null;
  return (
    <>
      <p>{title}</p>
      <ul class="plain falls">
        {countTexts(counts).map((text) => <li key={text}>{text}</li>)}
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

const less = (a: KindCounts, b: KindCounts): KindCounts =>
  Object.fromEntries(deletableKinds.map((kind) => [kind, a[kind] - b[kind]])) as KindCounts;
