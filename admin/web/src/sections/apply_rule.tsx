// Before a rule is applied: what it matches, and what it would change.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, post, query } from '../app/api.ts';
import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { changed } from '../ui/notices.tsx';
import { UndoHint } from '../ui/undo_hint.tsx';
import { PreviewView, type Counts, type Preview } from './preview.tsx';
import type { Rule, Ruleset } from './rule_data.ts';
import { affected } from './transactions.ts';

interface Props {
  rule: Rule;
  ruleset: Ruleset;
  onClose: () => void;
  onApplied: () => void;
}

export function ApplyDialog({ rule, ruleset, onClose, onApplied }: Props) {
  const preview = useSignal<(Preview & { matched: number }) | null>(null);
  const problem = useSignal('');
  const busy = useSignal(false);
  const path = `rules/${rule.number}/apply`;
  const look = <T,>(cursor: string | null) => post<T>(`${path}${query({ preview: 'true', cursor, limit: 50 })}`);
  const tell = (error: unknown) => { problem.value = error instanceof ApiError ? error.text : String(error); };
  useEffect(() => { look<Preview & { matched: number }>(null).then((found) => { preview.value = found; }, tell); }, []);
  const run = async () => {
    busy.value = true;
    try {
      const outcome = await post<Counts>(path);
      changed(`${rule.name}: ${affected(outcome)}`);
      onClose();
      onApplied();
    } catch (error) {
      tell(error);
      busy.value = false;
    }
  };
  const nothing = preview.value?.total === 0;
  return (
    <Dialog title={`${t('Apply Rule')}: ${rule.name}`} wide onClose={onClose}>
      <div class="dialog-body">
        {!rule.enabled && <p class="hint">{t('This rule is disabled. It runs this once all the same.')}</p>}
        {rule.enabled && !ruleset.enabled && <p class="hint">{t('Its ruleset is disabled. The rule runs this once all the same.')}</p>}
        {problem.value && <p class="error" role="alert">{problem.value}</p>}
        {!preview.value && !problem.value && <p aria-busy="true">{t('Loading …')}</p>}
        {preview.value && (
          <>
            <p>{t('The rule matches {n} records.', { n: preview.value.matched })}{' '}
              {nothing && t('They already are as the rule wants them.')}</p>
            {!nothing && <><PreviewView preview={preview.value} more={look} /><UndoHint /></>}
          </>
        )}
      </div>
      <footer>
        <button type="button" onClick={onClose}>{t('Cancel')}</button>
        <button type="button" class="danger" disabled={!preview.value || nothing || busy.value} onClick={() => void run()}>{t('Apply Rule')}</button>
      </footer>
    </Dialog>
  );
}
