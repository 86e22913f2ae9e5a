// How a source delivers: how old its newest success is against its schedule, what its imports and the
// rules in them changed against those before, how its polls failed, and what that takes of its score.
import type { ComponentChildren } from 'preact';
import type { QualityCompared, QualityDelivery, QualityOfSource } from '../../generated/api.ts';
import { number, t, time, type Text } from '../i18n/index.ts';
import { reasonText } from './poll_reasons.ts';
import { deliveryCheckTexts, isDeliveryCheck } from './quality_checks.ts';

export const deliveryCheckText = (check: string): string => (isDeliveryCheck(check) ? t(deliveryCheckTexts[check]) : check);

const percent = (value: number) => `${number(value)} %`;

const units: [string, number][] = [['d', 86_400], ['h', 3_600], ['min', 60], ['s', 1]];

// "3 d 4 h": the two largest units, whose signs are those of every language.
export function duration(seconds: number): string {
  let left = seconds;
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return { count, text: `${number(count)} ${unit}` };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  if (first < 0) return `${number(0)} s`;
  return parts.slice(first, first + 2).filter(({ count }) => count > 0).map(({ text }) => text).join(' ');
}

function compared(of: QualityCompared | null): string {
  if (!of) return '–';
  const newest = percent(of.newest_percent);
  return of.usual_percent === null ? newest : t('{newest}, usually {usual}', { newest, usual: percent(of.usual_percent) });
}

// What is held against the delivery, in the words of the site.
function findingText(check: string, { age, allowed, changes, rule_hits: hits }: QualityDelivery): string {
  if (check === 'source-overdue' && age !== null && allowed !== null) return t('Overdue by {time}', { time: duration(age - allowed) });
  return `${deliveryCheckText(check)}: ${compared(check === 'changes-jump' ? changes : hits)}`;
}

export function Delivery({ source: { delivery, failures, lost_by_failures: lost } }: { source: QualityOfSource }) {
  const { age, allowed, changes, rule_hits: hits, findings } = delivery;
  return (
    <section>
      <h2>{t('Delivery')}</h2>
      {(findings.length > 0 || lost > 0) && (
        <ul class="plain rows">
          {lost > 0 && <li>{age === null ? t('It never succeeded.') : `${t('Failures in a row')}: ${number(failures)}`} <Lost points={lost} /></li>}
          {findings.map(({ check, lost: points }) => <li key={check}>{findingText(check, delivery)} <Lost points={points} /></li>)}
        </ul>
      )}
      <dl class="facts card">
        <dt>{t('Age of the newest success')}</dt><dd>{age === null ? '–' : duration(age)}</dd>
        <dt>{t('Allowed by the schedule')}</dt><dd>{allowed === null ? '–' : duration(allowed)}</dd>
        <dt>{t('Changed by the newest import')}</dt><dd>{compared(changes)}</dd>
        <dt>{t('Changed by rules in it')}</dt><dd>{compared(hits)}</dd>
      </dl>
      <Imports of={delivery} />
      <RuleHits of={delivery} />
      <Failures of={delivery} />
    </section>
  );
}

const Lost = ({ points }: { points: number }) => <span class="muted">{t('{points} points lost', { points })}</span>;

function Imports({ of: { imports } }: { of: QualityDelivery }) {
  if (imports.length === 0) return null;
  return (
    <Numbers title="Imports" head={['Time', 'Created', 'Updated', 'Deleted', 'Share', 'By rules']}
      rows={imports.map((each) => ({
        key: each.import,
        name: <a href={`/admin/imports/${each.import}/`}>{time(each.time)}</a>,
        numbers: [number(each.created), number(each.updated), number(each.deleted), percent(each.changed_percent), number(each.rule_hits)],
      }))} />
  );
}

function RuleHits({ of: { rules } }: { of: QualityDelivery }) {
  if (rules.length === 0) return null;
  return (
    <Numbers title="Rules in the newest import" head={['Rule', 'Matched', 'Changed', 'Changed with them']}
      rows={rules.map((each) => ({ key: each.rule, name: each.rule, numbers: [each.matched, each.changed, each.cascaded].map(number) }))} />
  );
}

function Failures({ of: { polls, failures } }: { of: QualityDelivery }) {
  if (polls === 0) return null;
  const failed = failures.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <h3>{t('Failures')}</h3>
      <p>{t('{failed} of the newest {n} polls failed.', { failed, n: polls })}</p>
      {failures.length > 0 && (
        <ul class="plain rows">
          {failures.map(({ reason, count }) => <li key={reason}>{reasonText(reason)} <strong>{number(count)}</strong></li>)}
        </ul>
      )}
    </>
  );
}

interface NumberRow { key: string | number; name: ComponentChildren; numbers: string[] }

function Numbers({ title, head, rows }: { title: Text; head: Text[]; rows: NumberRow[] }) {
  return (
    <>
      <h3>{t(title)}</h3>
      <div class="table-frame" tabIndex={0} role="region" aria-label={t(title)}>
        <table>
          <thead><tr>{head.map((text) => <th key={text}>{t(text)}</th>)}</tr></thead>
          <tbody>
            {rows.map(({ key, name, numbers }) => (
              <tr key={key}><td>{name}</td>{numbers.map((each, i) => <td key={head[i + 1]} class="narrow">{each}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
