// Plans of imports that nobody has decided on yet, and imports that were held because they would
// delete too much.
import type { Plan, PlanList } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { useLoaded } from '../app/loaded.tsx';
import { t, time } from '../i18n/index.ts';

export function KeptPlans({ onLook }: { onLook: (plan: Plan) => void }) {
  const { value: plans, problem } = useLoaded('', () => get<PlanList>('plans?limit=50'), ['change']);
  if (!plans && problem) return <p class="error" role="alert">{problem}</p>;
  if (!plans || plans.items.length === 0) return null;
  return (
    <section class="part" aria-label={t('Previews waiting for a decision')}>
      <h2>{t('Previews waiting for a decision')}</h2>
      <ul class="plain roomy card">
        {plans.items.map((plan) => (
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
