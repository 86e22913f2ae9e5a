// Whether a rule or a ruleset can run, and if not, why.
import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';

export function Health({ healthy, problem }: { healthy: boolean; problem?: string | null }) {
  return healthy
    ? <span class="state good"><Icon name="check" />{t('Ready')}</span>
    : <span class="state bad" title={problem ?? ''}><Icon name="cut" />{problem || t('Misconfigured')}</span>;
}
