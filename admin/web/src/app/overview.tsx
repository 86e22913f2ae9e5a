// What the start page draws: how each source answered and how good its data are, imports and polls
// of the week with what failed, and how the map has grown. Days are those of UTC.
import type { MapSize, Overview, OverviewDay, OverviewSource, Quality } from '../../generated/api.ts';
import { number, t, type Text } from '../i18n/index.ts';
import { reasonText } from '../sections/poll_reasons.ts';
import { Score } from '../sections/quality.tsx';
import { BarChart } from '../ui/bar_chart.tsx';
import { LineChart, type ChartPoint } from '../ui/line_chart.tsx';
import { PollStrip } from '../ui/poll_strip.tsx';
import { Ago } from './ago.tsx';
import { get, mayAs, query } from './api.ts';
import { useLoaded } from './loaded.tsx';
import { failuresOf, importsOf, pollsOf } from './week.ts';

// The scores come later than the rest: they look at the whole map.
export function Sources({ sources, next }: { sources: Overview['sources']; next: string | null }) {
  const { items, total } = sources;
  const { value: quality } = useLoaded(total > 0, async () => (total > 0 ? get<Quality>('quality') : null), ['change']);
  const scores = new Map(quality?.sources.map(({ source, score }) => [source.number, score]));
  return (
    <section class="part wide">
      <h2><a href="/admin/sources/">{t('Sources')}</a></h2>
      {total === 0 && (
        <p class="muted">{t('No sources yet.')} {mayAs('admin') && <a href="/admin/sources/add/">{t('Add: {what}', { what: t('Polling source') })}</a>}</p>
      )}
      {items.length > 0 && (
        <div class="table-frame" tabIndex={0} role="region" aria-label={t('Sources')}>
          <table>
            <thead>
              <tr><th>{t('Name')}</th><th>{t('Polls of the week')}</th><th>{t('Last success')}</th><th>{t('Failures in a row')}</th><th>{t('Score')}</th></tr>
            </thead>
            <tbody>{items.map((source) => <SourceRow key={source.number} source={source} score={scores.get(source.number)} />)}</tbody>
          </table>
        </div>
      )}
      {total > items.length && <p><a href="/admin/sources/">{t('and {n} more', { n: total - items.length })}</a></p>}
      {next && total > 0 && <p><Ago value={next} what="Next polling" /></p>}
    </section>
  );
}

function SourceRow({ source, score }: { source: OverviewSource; score: number | undefined }) {
  const { number: of, name, polls, last_success: success, failures, paused, active } = source;
  const address = `/admin/sources/${of}/`;
  const states = [paused && t('Paused'), !active && t('Switched off')].filter(Boolean).join(' · ');
  return (
    <tr>
      <td><a href={address}>{name}</a> {states && <span class="muted">{states}</span>}</td>
      <td class="narrow"><PollStrip polls={polls} /></td>
      <td class="narrow">{success ? <Ago value={success} /> : t('Never')}</td>
      <td class="narrow"><a href={address}>{number(failures)}</a></td>
      <td class="narrow">{score === undefined ? '–' : <a href={`/admin/quality/sources/${source.number}/`}><Score value={score} /></a>}</td>
    </tr>
  );
}

export function Week({ days }: { days: OverviewDay[] }) {
  return (
    <>
      <section class="part">
        <h2><a href="/admin/imports/">{t('Imports of the week')}</a></h2>
        <BarChart title="Imports by day (UTC)" bars={days.map(importsOf)} />
      </section>
      <section class="part">
        <h2><a href="/admin/polls/">{t('Polls of the week')}</a></h2>
        <BarChart title="Polls of each source by day (UTC)" bars={days.map(pollsOf)} />
        <Failures days={days} />
      </section>
    </>
  );
}

function Failures({ days }: { days: OverviewDay[] }) {
  const failures = failuresOf(days);
  if (failures.length === 0) return <p class="muted">{t('No poll failed.')}</p>;
  return (
    <ul class="plain failures">
      {failures.map(([reason, count]) => <li key={reason}><a href={`/admin/polls/${query({ q: reason })}`}>{reasonText(reason)} <strong>{number(count)}</strong></a></li>)}
    </ul>
  );
}

const drawn: { kind: 'institutions' | 'nodes' | 'links'; title: Text }[] = [
  { kind: 'institutions', title: 'Institutions' }, { kind: 'nodes', title: 'Nodes' }, { kind: 'links', title: 'Links' },
];

// Nothing to see before there are two points in time.
export function Growth({ sizes }: { sizes: MapSize[] }) {
  if (sizes.length < 2) return null;
  return (
    <section class="part wide">
      <h2>{t('Growth of the map')}</h2>
      <div class="growth">
        {drawn.map(({ kind, title }) => {
          const points = sizes.map((size): ChartPoint => ({ time: size.time, value: size[kind], href: `/?at=${size.lsn}` }));
          return <LineChart key={kind} title={title} points={points} range={[0, Math.max(1, ...sizes.map((size) => size[kind]))]} />;
        })}
      </div>
    </section>
  );
}
