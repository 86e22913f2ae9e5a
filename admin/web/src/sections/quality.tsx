// How good the map is: a score for the whole, for each source and each topology, what takes it, and the
// place that was meant where that can be said.
import { useSignal } from '@preact/signals';
import type { Quality, QualityCount, QualityFinding, QualityFindings, QualityHistory } from '../../generated/api.ts';
import { get, mayAs, query } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import type { Row, Section } from '../app/section.ts';
import { number, t } from '../i18n/index.ts';
import { askThenDo } from '../ui/ask_preview.tsx';
import { Heading } from '../ui/heading.tsx';
import { LineChart } from '../ui/line_chart.tsx';
import { changed, failed } from '../ui/notices.tsx';
import { checkTexts, isCheck } from './quality_checks.ts';
import { savedText } from './what_ran.tsx';

const worstShown = 3;

interface Scored {
  score: number;
  records: Quality['records'];
  findings: QualityCount[];
}

const textOf = (check: string): string => (isCheck(check) ? t(checkTexts[check]) : check);
const byLoss = (findings: QualityCount[]) => [...findings].sort((a, b) => b.lost - a.lost || b.count - a.count);

// /admin/quality/ is of the whole map, /admin/quality/N/ of a topology and those below it.
function QualityPage({ rest: [topology] }: { rest: string[] }) {
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
          key: each.source.number, name: each.source.name, address: `/admin/sources/${each.source.number}/`, of: each,
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

interface ScoreRow { key: number; name: string; address: string; of: Scored }

function ScoreTable({ title, rows }: { title: string; rows: ScoreRow[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <div class="table-frame" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead><tr><th>{t('Score')}</th><th>{t('Name')}</th><th>{t('Nodes')}</th><th>{t('Links')}</th><th>{t('Findings')}</th></tr></thead>
          <tbody>
            {rows.map(({ key, name, address, of }) => (
              <tr key={key}>
                <td class="narrow"><Score value={of.score} /></td>
                <td><a href={address}>{name}</a></td>
                <td class="narrow">{number(of.records.nodes)}</td>
                <td class="narrow">{number(of.records.links)}</td>
                <td>{worst(of.findings)}</td>
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

// What was found, a check at a time: its records are asked for when it is opened.
function Findings({ of, topology, onFixed }: FindingsProps) {
  return (
    <>
      <p><Score value={of.score} /></p>
      <ScoreHistory topology={topology} />
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
  return (
    <ul class="plain rows">
      {value.items.map((item) => (
        <li key={`${item.kind} ${item.record.number}`}>
          <a href={`/admin/${item.kind}/${item.record.number}/`}>{item.record.name || item.record.id}</a>
          {item.other && <span class="muted">{t('Also: {name}', { name: item.other.name || item.other.id })}</span>}
          <Fix item={item} onFixed={() => { void reload(); onFixed(); }} />
        </li>
      ))}
      {value.omitted > 0 && <li class="muted">{t('and {n} more', { n: value.omitted })}</li>}
    </ul>
  );
}

// The change is shown before it is made, and can be undone.
function Fix({ item: { fix, kind, record }, onFixed }: { item: QualityFinding; onFixed: () => void }) {
  if (!fix || !mayAs('editor')) return null;
  const title = t('Move to {latitude}, {longitude}', fix);
  const mend = async () => {
    const path = `${kind}/${record.number}`;
    try {
      const body = { ...await get<Row>(path), ...fix };
      if (!await askThenDo({ method: 'PUT', path, body, title: `${record.name}: ${title}`, verb: 'save' })) return;
      changed(savedText(record.name));
      onFixed();
    } catch (error) {
      failed(error);
    }
  };
  return <button type="button" class="small" onClick={() => void mend()}>{title}</button>;
}

export const quality: Section = { key: 'quality', title: 'Quality', singular: 'Quality', icon: 'check', page: QualityPage };
