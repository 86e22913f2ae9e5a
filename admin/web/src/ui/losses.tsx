// What a file says and the map does not hold, or the other way round: how much, which fields for
// which reason, and the places of the first ones.
import type { Losses } from '../../generated/api.ts';
import { get } from '../app/api.ts';
import { useLoaded } from '../app/loaded.tsx';
import { number, t, type Text } from '../i18n/index.ts';
import { placeOf } from './loss_place.ts';

interface Props {
  at: string; // where the list is asked for
  all: Text; // said where nothing is lost
}

export function LossesCard({ at, all }: Props) {
  const { value, problem } = useLoaded(at, () => get<Losses>(at));
  return (
    <section class="card" aria-label={t('What is lost')}>
      <h2>{t('What is lost')}</h2>
      {problem && <p class="error" role="alert">{problem}</p>}
      {!value && !problem && <p class="muted" aria-busy="true">{t('Loading …')}</p>}
      {value && <LossesOf losses={value} all={all} />}
    </section>
  );
}

function LossesOf({ losses, all }: { losses: Losses; all: Text }) {
  const { present, lost, counts, omitted, omitted_texts: texts = [] } = losses;
  if (lost === 0 && texts.length === 0) return <p>{t(all)}</p>;
  if (lost === 0) return <ul>{texts.map((text) => <li key={text}>{text}</li>)}</ul>;
  return (
    <>
      <p>{t('{lost} of {present} fields are lost.', { lost, present })}</p>
      <div class="table-frame">
        <table>
          <thead><tr><th scope="col">{t('Field')}</th><th scope="col">{t('Reason')}</th><th scope="col">{t('How often')}</th></tr></thead>
          <tbody>
            {counts.map(({ field, reason, count }) => (
              <tr key={`${field} ${reason}`}><td><code>{field}</code></td><td>{reason}</td><td>{number(count)}</td></tr>
            ))}
          </tbody>
        </table>
      </div>
      <details>
        <summary>{t('Places in the file')}</summary>
        <ul class="losses">
          {losses.losses.map((loss, i) => <li key={i}><code>{placeOf(loss)}</code> {loss.field}: {loss.reason}</li>)}
        </ul>
        {omitted > 0 && <p class="muted">{t('and {n} more', { n: omitted })}</p>}
      </details>
    </>
  );
}
