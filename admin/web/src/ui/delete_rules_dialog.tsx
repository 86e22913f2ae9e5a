// Asks before rulesets or a rule are deleted, and tells which rules go with it and what those that
// are left would do to the map.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, request } from '../app/api.ts';
import { collection, nameOf, type Row, type Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { PreviewView } from '../sections/preview.tsx';
import type { Rule, Ruleset } from '../sections/rule_data.ts';
import { RulesThatAct, ranText, type Ran } from '../sections/what_ran.tsx';
import { changesMap, previewOf, type RulesPreview, type Wanted } from './ask_preview.tsx';
import { deletedText } from './deleted_text.ts';
import { Confirm } from './dialog.tsx';
import { attempt, changed, failed } from './notices.tsx';
import { UndoHint } from './undo_hint.tsx';

type Deletion = Pick<Wanted, 'method' | 'path' | 'body'>;

interface Props {
  section: Section;
  rows: Row[];
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteRulesDialog({ section, rows, onClose, onDeleted }: Props) {
  const wanted = deletionOf(section, rows);
  const more = previewOf(wanted);
  const preview = useSignal<RulesPreview | null>(null);
  const load = () => attempt(async () => { preview.value = await more(null); });
  useEffect(() => { void load(); }, []);
  const run = async () => {
    if (!preview.value) return;
    try {
      const { ran } = await request<{ ran: Ran }>(wanted.method, wanted.path, wanted.body, preview.value.etag);
      changed(`${deletedText(section, rows)}. ${ranText(ran)}`);
      onClose();
      onDeleted();
    } catch (error) {
      failed(error);
      if (error instanceof ApiError && error.code === 'preview-moved') await load();
      else onClose();
    }
  };
  return (
    <Confirm title={t('Delete?')} action={t('Delete')} danger wide ready={preview.value !== null}
      onConfirm={() => void run()} onClose={onClose}>
      <p>{t('This will be deleted:')}</p>
      <ul class="plain">{rows.map((row) => <li key={row.number}><strong>{nameOf(row)}</strong></li>)}</ul>
      {preview.value ? <Consequences preview={preview.value} rules={rows.flatMap(rulesOf)} more={more} />
        : <p aria-busy="true">{t('Loading …')}</p>}
      <UndoHint />
    </Confirm>
  );
}

// Several rulesets go in one transaction; of rules one is deleted at a time.
const deletionOf = (section: Section, rows: Row[]): Deletion => (section.key === 'rulesets'
  ? { method: 'POST', path: 'rulesets/delete', body: { numbers: rows.map((row) => row.number) } }
  : { method: 'DELETE', path: `${collection(section)}/${rows[0]!.number}` });

const rulesOf = (row: Row) => (row as Partial<Ruleset>).rules ?? [];

interface ConsequencesProps {
  preview: RulesPreview;
  rules: Rule[]; // that go with what was chosen
  more: (cursor: string | null) => Promise<RulesPreview>;
}

function Consequences({ preview, rules, more }: ConsequencesProps) {
  return (
    <>
      {rules.length > 0 && (
        <>
          <p>{t('And with it:')} {t('{n} rules', { n: rules.length })}</p>
          <ul class="plain">{rules.map(({ number, name }) => <li key={number}>{name}</li>)}</ul>
        </>
      )}
      {changesMap(preview)
        ? <><RulesThatAct rules={preview.rules} /><PreviewView preview={preview} more={more} /></>
        : <p class="muted">{t('Nothing changes on the map.')}</p>}
    </>
  );
}
