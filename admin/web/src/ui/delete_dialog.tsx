// Asks before records are deleted, and tells all that would change with them, first of all what
// would stop working.
import { useSignal } from '@preact/signals';
import type { CountByKind, DeletePreview } from '../../generated/api.ts';
import { request } from '../app/api.ts';
import { collection, nameOf, type Row, type Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { PlannedChangesView } from '../sections/planned_changes.tsx';
import { ExportStops } from '../sections/preview.tsx';
import { useBusy } from './busy.ts';
import { countTexts, deletableKinds, deletedText, sumOf } from './deleted_text.ts';
import { Confirm } from './dialog.tsx';
import { KeepFields, notKept, pathKept } from './keep.tsx';
import { attempt, changed } from './notices.tsx';
import { PreviewedDialog, type Deed, type PreviewPage } from './previewed_dialog.tsx';
import { UndoHint } from './undo_hint.tsx';

const namesMax = 10;

interface Props {
  section: Section;
  rows: Row[];
  onClose: () => void;
  onDeleted: () => void;
}

// Records have consequences, which are previewed; entries of the catalog have none.
export function DeleteDialog(props: Props) {
  return props.section.form?.deletesMore ? <DeleteRecords {...props} /> : <DeleteEntries {...props} />;
}

const severalOf = (section: Section, rows: Row[]): Deed =>
  ({ method: 'POST', path: `${collection(section)}/delete`, body: { numbers: rows.map((row) => row.number) } });

function DeleteRecords({ section, rows, onClose, onDeleted }: Props) {
  const kept = useSignal(notKept);
  const several = severalOf(section, rows);
  return (
    <PreviewedDialog<DeletePreview, unknown> title={t('Delete?')} deed={{ ...several, path: pathKept(several.path, kept.value) }} of={kept.value.keep} lead={<Chosen rows={rows} />}
      button={() => ({ label: t('Delete'), danger: true })} onClose={onClose}
      onDone={(_, { impact }) => {
        changed(deletedText(section, rows, { deleted: impact, changes: impact.changes }));
        onClose();
        onDeleted();
      }}>
      {(preview, more) => (
        <>
          <ImpactList preview={preview} />
          <AllChanges preview={preview} more={more} />
          {section.key !== 'topologies' && <KeepFields values={kept.value} ofDeletion onChange={(values) => { kept.value = values; }} />}
          <UndoHint />
        </>
      )}
    </PreviewedDialog>
  );
}

function DeleteEntries({ section, rows, onClose, onDeleted }: Props) {
  const { method, path, body }: Deed = rows.length === 1
    ? { method: 'DELETE', path: `${collection(section)}/${rows[0]!.number}` } : severalOf(section, rows);
  const { isBusy, run } = useBusy();
  const remove = async () => {
    const deleted = await attempt(() => request(method, path, body));
    if (deleted) changed(deletedText(section, rows));
    onClose();
    if (deleted) onDeleted();
  };
  return (
    <Confirm title={t('Delete?')} action={t('Delete')} danger ready={!isBusy}
      onConfirm={() => void run(remove)} onClose={() => { if (!isBusy) onClose(); }}>
      <Chosen rows={rows} />
    </Confirm>
  );
}

export function Chosen({ rows }: { rows: Row[] }) {
  return (
    <>
      <p>{t('This will be deleted:')}</p>
      <ul class="plain">
        {rows.slice(0, namesMax).map((row) => <li key={row.number}><strong>{nameOf(row)}</strong></li>)}
        {rows.length > namesMax && <li>{t('and {n} more', { n: rows.length - namesMax })}</li>}
      </ul>
    </>
  );
}

function ImpactList({ preview }: { preview: DeletePreview }) {
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

function CountList({ title, counts }: { title: string; counts: CountByKind }) {
  if (sumOf(counts) === 0) return null;
  return (
    <>
      <p>{title}</p>
      <ul class="plain impact">
        {countTexts(counts).map((text) => <li key={text}>{text}</li>)}
      </ul>
    </>
  );
}

// Each element with its fields before and after, once somebody wants to see them.
function AllChanges({ preview, more }: { preview: DeletePreview; more: PreviewPage<DeletePreview> }) {
  const open = useSignal(false);
  return (
    <details onToggle={(event) => { open.value = event.currentTarget.open; }}>
      <summary>{t('All changes ({n})', { n: preview.total })}</summary>
      {open.value && <PlannedChangesView of={preview} groups={preview.groups} load={more} />}
    </details>
  );
}

const less = (a: CountByKind, b: CountByKind): CountByKind =>
  Object.fromEntries(deletableKinds.map((kind) => [kind, a[kind] - b[kind]])) as CountByKind;
