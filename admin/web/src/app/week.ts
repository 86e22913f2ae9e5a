// The days of a week as bars, and what failed in it. Each count leads to the list of what it counts.
import type { OverviewDay } from '../../generated/api.ts';
import { t, weekday } from '../i18n/index.ts';
import { reasonText } from '../sections/poll_reasons.ts';
import type { Bar, BarPart } from '../ui/bar_chart.tsx';
import { query } from './api.ts';

const some = (parts: BarPart[]) => parts.filter(({ value }) => value > 0);

export function importsOf({ day, imports }: OverviewDay): Bar {
  return {
    label: weekday(day),
    parts: some([
      { kind: 'good', label: t('Complete'), value: imports.complete, href: `/admin/imports/${query({ day })}` },
      { kind: 'bad', label: t('Aborted'), value: imports.aborted, href: `/admin/imports/${query({ day, state: 'aborted' })}` },
    ]),
  };
}

export function pollsOf({ day, polls, reasons }: OverviewDay): Bar {
  const failed = reasons.map(({ reason, count }): BarPart => (
    { kind: 'bad', label: reasonText(reason), value: count, href: `/admin/polls/${query({ day, q: reason })}` }));
  return {
    label: weekday(day),
    parts: some([{ kind: 'good', label: t('Complete'), value: polls.complete, href: `/admin/polls/${query({ day })}` }, ...failed]),
  };
}

// Of the whole week, the most frequent first.
export function failuresOf(days: OverviewDay[]): [reason: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { reason, count } of days.flatMap(({ reasons }) => reasons)) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts].sort(([, a], [, b]) => b - a);
}
