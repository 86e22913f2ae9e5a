// How a source answered lately: a stroke for each poll, as long as it took, and all the way where it
// failed.
import type { OverviewSource } from '../../generated/api.ts';
import { number, t } from '../i18n/index.ts';

type Polls = OverviewSource['polls'];

const step = 5;
const high = 20;
const least = 3;

export function PollStrip({ polls }: { polls: Polls }) {
  if (polls.length === 0) return <span class="muted">–</span>;
  const failed = polls.filter(({ state }) => state === 'aborted');
  const last = failed[failed.length - 1];
  const succeeded = t('{done} of {all} polls succeeded', { done: polls.length - failed.length, all: polls.length });
  const longest = Math.max(...polls.map(({ seconds }) => seconds), Number.MIN_VALUE);
  return (
    <span class="poll-strip">
      <svg width={polls.length * step} height={high} role="img" aria-label={succeeded}>
        <title>{succeeded}</title>
        {polls.map(({ poll, state, seconds }, index) => {
          const length = state === 'aborted' ? high : least + ((high - least) * 0.7 * seconds) / longest;
          return <rect key={poll} class={state === 'aborted' ? 'bad' : 'good'} x={index * step} y={high - length} width={step - 1} height={length} />;
        })}
      </svg>
      {last && <a href={`/admin/polls/${last.poll}/`} title={t('The newest poll that failed')}>{t('{n} failed', { n: number(failed.length) })}</a>}
    </span>
  );
}
