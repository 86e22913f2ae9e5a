// How good the map is: a score for the whole, for each source and each topology, what takes it, and the
// place that was meant where that can be said.
import { useSignal } from '@preact/signals';
import type { Quality, QualityCount, QualityFindings, QualityHistory, QualityOfSource } from '../../generated/api.ts';
import { get, query } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import type { Section } from '../app/section.ts';
import { number, t } from '../i18n/index.ts';
import { Heading } from '../ui/heading.tsx';
import { LineChart } from '../ui/line_chart.tsx';
import { checkTexts, isCheck } from './quality_checks.ts';
import { FixAll, FixOne } from './quality_fix.tsx';
import { Delivery, deliveryCheckText } from './quality_source.tsx';

const worstShown = 3;

interface Scored {
  score: number;
  records: Quality['records'];
  findings: QualityCount[];
}

const textOf = (check: string): string => (isCheck(check) ? t(checkTexts[check]) : check);
const byLoss = (findings: QualityCount[]) => [...findings].sort((a, b) => b.lost - a.lost || b.count - a.count);

// /admin/quality/ is of the whole map, /admin/quality/N/ of a topology and those below it,
// /admin/quality/sources/N/ of a source.
function QualityPage({ rest: [topology, source] }: { rest: string[] }) {
  return topology === 'sources' ? <SourcePage number={source ?? ''} /> : <MapPage topology={topology} />;
}

function MapPage({ topology }: { topology: string | undefined }) {
  const { value, problem, reload } = useLoaded('', () => get<Quality>('quality'), ['change']);
  const chosen = value?.topologies.find((each) => String(each.topology.number) === topology);
  const title = chosen ? chosen.topology.name : t('Quality');
  return (
    <>
      <Heading title={title} icon="check">
        {topology && <a class="button" href="/admin/quality/">{t('Whole map')}</a>}
      </Heading>
      {!value ? <Waiting problem={problem} />
        : topology && !chosen ? <p class="empty">{t('There is no such topology any more.')}</p>
          : chosen ? <Findings of={chosen} topology={topology} onFixed={() => void reload()} />
            : <Whole quality={value} onFixed={() => void reload()} />}
    </>
  );
}

function SourcePage({ number: wanted }: { number: string }) {
  const { value, problem, reload } = useLoaded('', () => get<Quality>('quality'), ['change', 'poll']);
  const chosen = value?.sources.find(({ source }) => String(source.number) === wanted);
  return (
    <>
      <Heading title={chosen ? chosen.source.name : t('Quality')} icon="check">
        {chosen && <a class="button" href={`/admin/sources/${chosen.source.number}/`}>{t('Source')}</a>}
        <a class="button" href="/admin/quality/">{t('Whole map')}</a>
      </Heading>
      {!value ? <Waiting problem={problem} />
        : !chosen ? <p class="empty">{t('There is no such source any more.')}</p>
          : <OfSource of={chosen} onFixed={() => void reload()} />}
    </>
  );
}

function OfSource({ of, onFixed }: { of: QualityOfSource; onFixed: () => void }) {
  return (
    <>
      <p><Score value={of.score} /></p>
      <Delivery source={of} />
      {of.topology && (
        <>
          <h2>{of.topology.name}</h2>
          <Checks of={of} topology={String(of.topology.number)} onFixed={onFixed} />
        </>
      )}
    </>
  );
}

export function Score({ value }: { value: number }) {
  const state = value >= 90 ? 'good' : value >= 60 ? 'fair' : 'bad';
  return <span class={`score ${state}`}><strong>{number(value)}</strong><meter min={0} max={100} value={value} aria-label={t('Score')} /></span>;
}

function Whole({ quality, onFixed }: { quality: Quality; onFixed: () => void }) {
  return (
    <>
      <p class="muted">{t('100 is a map without findings. Each check takes points, all of them where a tenth of the records or more have what it looks for.')}</p>
      {quality.sources.length > 0 && (
        <ScoreTable title={t('Sources')} rows={quality.sources.map((each) => ({
          key: each.source.number, name: each.source.name, address: `/admin/quality/sources/${each.source.number}/`, of: each,
          held: each.delivery.findings.map(({ check }) => deliveryCheckText(check)),
        }))} />
      )}
      <ScoreTable title={t('Topologies')} rows={[...quality.topologies].sort((a, b) => a.score - b.score).map((each) => ({
        key: each.topology.number, name: each.topology.name, address: `/admin/quality/${each.topology.number}/`, of: each,
      }))} />
      <h2>{t('Whole map')}</h2>
      <Findings of={quality} topology={undefined} onFixed={onFixed} />
    </>
  );
}

interface ScoreRow { key: number; name: string; address: string; of: Scored; held?: string[] } // against how it delivers

function ScoreTable({ title, rows }: { title: string; rows: ScoreRow[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <div class="table-frame" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead><tr><th>{t('Score')}</th><th>{t('Name')}</th><th>{t('Nodes')}</th><th>{t('Links')}</th><th>{t('Findings')}</th></tr></thead>
          <tbody>
            {rows.map(({ key, name, address, of, held = [] }) => (
              <tr key={key}>
                <td class="narrow"><Score value={of.score} /></td>
                <td><a href={address}>{name}</a></td>
                <td class="narrow">{number(of.records.nodes)}</td>
                <td class="narrow">{number(of.records.links)}</td>
                <td>{[...held, worst(of.findings)].filter(Boolean).join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function worst(findings: QualityCount[]): string {
  const texts = byLoss(findings).slice(0, worstShown).map(({ check, count }) => `${textOf(check)} (${number(count)})`);
  const others = findings.length - texts.length;
  return [...texts, ...(others > 0 ? [t('and {n} more', { n: others })] : [])].join(', ');
}

interface FindingsProps { of: Scored; topology: string | undefined; onFixed: () => void }

function ScoreHistory({ topology }: { topology: string | undefined }) {
  const { value } = useLoaded(topology ?? '', () => get<QualityHistory>(`quality/history${query({ topology })}`));
  if (!value) return null;
  return <LineChart title="Score" range={[0, 100]} points={value.items.map(({ time, score }) => ({ time, value: score }))} />;
}

function Findings({ of, topology, onFixed }: FindingsProps) {
  return (
    <>
      <p><Score value={of.score} /></p>
      <ScoreHistory topology={topology} />
      <Checks of={of} topology={topology} onFixed={onFixed} />
    </>
  );
}

// What was found, a check at a time: its records are asked for when it is opened.
function Checks({ of, topology, onFixed }: FindingsProps) {
  return (
    <>
      {of.findings.length === 0 && <p class="empty">{t('Nothing to mend.')}</p>}
      {byLoss(of.findings).map((each) => <OfCheck key={`${topology} ${each.check}`} found={each} topology={topology} onFixed={onFixed} />)}
    </>
  );
}

function OfCheck({ found, topology, onFixed }: { found: QualityCount; topology: string | undefined; onFixed: () => void }) {
  const open = useSignal(false);
  return (
    <details class="card" onToggle={(event) => { open.value = event.currentTarget.open; }}>
      <summary>
        {textOf(found.check)} <strong>{number(found.count)}</strong>{' '}
        <span class="muted">{t('of {n}', { n: found.looked_at })} · {t('{points} points lost', { points: found.lost })}</span>
      </summary>
      {open.value && <Records check={found.check} topology={topology} onFixed={onFixed} />}
    </details>
  );
}

function Records({ check, topology, onFixed }: { check: string; topology: string | undefined; onFixed: () => void }) {
  const { value, problem, reload } = useLoaded(`${topology} ${check}`, () => get<QualityFindings>(`quality/findings${query({ check, topology })}`), ['change']);
  if (!value) return <Waiting problem={problem} />;
  const mended = () => { void reload(); onFixed(); };
  return (
    <ul class="plain rows">
      <FixAll items={value.items} title={textOf(check)} wanted={{ check, topology }} onFixed={mended} />
      {value.items.map((item) => (
        <li key={`${item.kind} ${item.record.number}`}>
          <a href={`/admin/${item.kind}/${item.record.number}/`}>{item.record.name || item.record.id}</a>
          {item.other && <span class="muted">{t('Also: {name}', { name: item.other.name || item.other.id })}</span>}
          <FixOne item={item} onFixed={mended} />
        </li>
      ))}
      {value.omitted > 0 && <li class="muted">{t('and {n} more', { n: value.omitted })}</li>}
    </ul>
  );
}

export const quality: Section = { key: 'quality', title: 'Quality', singular: 'Quality', icon: 'check', page: QualityPage };
