// Before a rule is applied: what it matches, and what it would change.
import type { Rule, RulesOutcome, Ruleset, Trial } from '../../generated/api.ts';
import { t } from '../i18n/index.ts';
import { changed } from '../ui/notices.tsx';
import { PreviewedDialog } from '../ui/previewed_dialog.tsx';
import { UndoHint } from '../ui/undo_hint.tsx';
import { PreviewView } from './preview.tsx';
import { affected } from './transactions.ts';

interface Props {
  rule: Rule;
  ruleset: Ruleset;
  onClose: () => void;
  onApplied: () => void;
}

export function ApplyDialog({ rule, ruleset, onClose, onApplied }: Props) {
  return (
    <PreviewedDialog<Trial, RulesOutcome> title={`${t('Apply Rule')}: ${rule.name}`} deed={{ method: 'POST', path: `rules/${rule.number}/apply` }}
      lead={<Disabled rule={rule} ruleset={ruleset} />} onClose={onClose}
      button={(preview) => ({ label: t('Apply Rule'), danger: true, off: preview?.total === 0 })}
      onDone={(outcome) => {
        changed(`${rule.name}: ${affected(outcome)}`);
        onClose();
        onApplied();
      }}>
      {(preview, more) => (
        <>
          <p>{t('The rule matches {n} records.', { n: preview.matched })}{' '}
            {preview.total === 0 && preview.matched > 0 && t('They already are as the rule wants them.')}</p>
          {preview.total > 0 && <><PreviewView preview={preview} more={more} /><UndoHint /></>}
        </>
      )}
    </PreviewedDialog>
  );
}

function Disabled({ rule, ruleset }: Pick<Props, 'rule' | 'ruleset'>) {
  if (!rule.enabled) return <p class="hint">{t('This rule is disabled. It runs this once all the same.')}</p>;
  if (!ruleset.enabled) return <p class="hint">{t('Its ruleset is disabled. The rule runs this once all the same.')}</p>;
  return null;
}
