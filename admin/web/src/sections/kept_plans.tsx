// Plans of imports that nobody has decided on yet, and imports that were held because they would
// delete too much.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Plan, PlanList } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { listen } from '../app/events.ts';
import { t, time } from '../i18n/index.ts';
import { attempt } from '../ui/notices.tsx';

export function KeptPlans({ onLook }: { onLook: (plan: Plan) => void }) {
  const plans = useSignal<Plan[]>([]);
  useEffect(() => {
    const load = () => void attempt(async () => { plans.value = (await get<PlanList>('plans?limit=50')).items; });
    load();
    return listen('change', load);
  }, []);
  if (plans.value.length === 0) return null;
  return (
    <section class="part" aria-label={t('Previews waiting for a decision')}>
      <h2>{t('Previews waiting for a decision')}</h2>
      <ul class="plain roomy card">
        {plans.value.map((plan) => (
          <li key={plan.id} class="kept-plan">
            <span>
              <strong>{plan.name}</strong> <span class="muted">{time(plan.planned_at)}</span> · {t('{n} would be added', { n: plan.created })},{' '}
              {t('{n} would change', { n: plan.updated })}, {t('{n} would be deleted', { n: plan.deleted })}
              {plan.held_because && <span class="error"> {plan.held_because}</span>}
            </span>
            <button type="button" class="small" aria-label={`${t('Preview')}: ${plan.name}`} onClick={() => onLook(plan)}>{t('Preview')}</button>
          </li>
        ))}
      </ul>
    </section>
  );
}
