// What the start page makes of the days of a week.
import { expect, it } from 'vitest';
import type { OverviewDay } from '../../../admin/web/generated/api.ts';
import { failuresOf, pollsOf } from '../../../admin/web/src/app/week.ts';

const day = (reasons: [string, number][]): OverviewDay => ({
  day: '2026-11-27', imports: { complete: 0, aborted: 0 }, polls: { complete: 4, aborted: 3 },
  reasons: reasons.map(([reason, count]) => ({ reason, count })),
});

it('a bar has a part for each kind of failure, each with a link to its polls', () => {
  expect(pollsOf(day([['time_out', 2], ['newer_reason', 1]]))).toEqual({
    label: '27 Fri',
    parts: [
      { kind: 'good', label: 'Complete', value: 4, href: '/admin/polls/?day=2026-11-27' },
      { kind: 'bad', label: 'Time-out', value: 2, href: '/admin/polls/?day=2026-11-27&q=time_out' },
      { kind: 'bad', label: 'newer_reason', value: 1, href: '/admin/polls/?day=2026-11-27&q=newer_reason' },
    ],
  });
});

it('failures of the week are added up, the most frequent first', () => {
  expect(failuresOf([day([['tls', 1], ['time_out', 1]]), day([['time_out', 2]]), day([])])).toEqual([['time_out', 3], ['tls', 1]]);
});
