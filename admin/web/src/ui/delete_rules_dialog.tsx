// Asks before rulesets or a rule are deleted, and tells which rules go with it and what those that
// are left would do to the map.
import type { Preview, Rule, Ruleset, WithRan } from '../../generated/api.ts';
import { collection, type Row, type Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { PreviewView } from '../sections/preview.tsx';
import { RulesThatAct, ranText } from '../sections/what_ran.tsx';
import { changesMap } from './ask_preview.tsx';
import { Chosen } from './delete_dialog.tsx';
import { deletedText } from './deleted_text.ts';
import { changed } from './notices.tsx';
import { PreviewedDialog, type Deed, type PreviewPage } from './previewed_dialog.tsx';
import { UndoHint } from './undo_hint.tsx';

interface Props {
  section: Section;
  rows: Row[];
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteRulesDialog({ section, rows, onClose, onDeleted }: Props) {
  return (
    <PreviewedDialog<Preview, WithRan> title={t('Delete?')} deed={deletionOf(section, rows)} lead={<Chosen rows={rows} />}
      button={() => ({ label: t('Delete'), danger: true })} onClose={onClose}
      onDone={({ ran }) => {
        changed(`${deletedText(section, rows)}. ${ranText(ran)}`);
        onClose();
        onDeleted();
      }}>
      {(preview, more) => (
        <>
          <Consequences preview={preview} rules={rows.flatMap(rulesOf)} more={more} />
          <UndoHint />
        </>
      )}
    </PreviewedDialog>
  );
}

// Several rulesets go in one transaction; of rules one is deleted at a time.
const deletionOf = (section: Section, rows: Row[]): Deed => (section.key === 'rulesets'
  ? { method: 'POST', path: 'rulesets/delete', body: { numbers: rows.map((row) => row.number) } }
  : { method: 'DELETE', path: `${collection(section)}/${rows[0]!.number}` });

const rulesOf = (row: Row) => (row as Partial<Ruleset>).rules ?? [];

interface ConsequencesProps {
  preview: Preview;
  rules: Rule[]; // that go with what was chosen
  more: PreviewPage<Preview>;
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
