// What a rule would do if it were applied now: as it is stored, or as it is typed.
import type { Trial as Outcome } from '../../generated/api.ts';
import { post } from '../app/api.ts';
import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { pageQuery, type LoadChanges } from './change_groups.ts';
import { PreviewView } from './preview.tsx';

export interface Trial {
  name: string;
  outcome: Outcome;
  more: LoadChanges<Outcome>;
}

// `number` 0: a rule that is not stored yet. Without `typed`: as it is stored.
export async function tryRule(number: number, name: string, typed?: object): Promise<Trial> {
  const path = number === 0 ? 'rules/try' : `rules/${number}/try`;
  const more: LoadChanges<Outcome> = (page) => post<Outcome>(path + pageQuery(page), typed ?? {});
  return { name, outcome: await more({}), more };
}

export function TrialDialog({ trial: { name, outcome, more }, onClose }: { trial: Trial; onClose: () => void }) {
  const nothing = outcome.created + outcome.updated + outcome.deleted === 0;
  return (
    <Dialog title={`${t('Try')}: ${name}`} wide onClose={onClose}>
      <div class="dialog-body">
        <p>{t('The rule matches {n} records.', { n: outcome.matched })}{' '}
          {nothing && outcome.matched > 0 && t('They already are as the rule wants them.')}</p>
        <details open={nothing}>
          <summary>{t('Matched records')}</summary>
          <ul class="plain">
            {outcome.matches.map((match, index) => <li key={index}>{match.name} <small class="muted">{match.id}</small></li>)}
            {outcome.matched > outcome.matches.length && <li>{t('and {n} more', { n: outcome.matched - outcome.matches.length })}</li>}
          </ul>
        </details>
        {!nothing && (
          <>
            <p>{t('It would make of them:')}</p>
            <PreviewView preview={outcome} more={more} />
          </>
        )}
        <p class="muted">{t('Nothing was changed.')}</p>
      </div>
      <footer><button type="button" class="primary" onClick={onClose}>{t('Close')}</button></footer>
    </Dialog>
  );
}
