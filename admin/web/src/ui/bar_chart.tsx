// Bars of stacked counts, a bar for each day, and the same as a table. Each part of a bar is a link to
// what it counts.
import { number, t, type Text } from '../i18n/index.ts';

export interface BarPart {
  kind: 'good' | 'bad';
  label: string;
  value: number;
  href: string;
}
export interface Bar {
  label: string;
  parts: BarPart[]; // from the bottom up; none of nothing
}

const width = 100;
const height = 100;
const gap = 0.3; // of the place of a bar
const least = 3; // what is there is seen, however few

export function BarChart({ title, bars }: { title: Text; bars: Bar[] }) {
  const place = width / bars.length;
  return (
    <figure class="bar-chart">
      <figcaption>{t(title)}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="group" aria-label={t(title)}>
        {heightsOf(bars).map((heights, index) => {
          let top = height;
          return heights.map((high, at) => {
            const part = bars[index]!.parts[at]!;
            top -= high;
            return (
              <a key={`${index} ${at}`} href={part.href} aria-label={textOf(bars[index]!, part)}>
                <title>{textOf(bars[index]!, part)}</title>
                <rect class={part.kind} x={index * place + (place * gap) / 2} width={place * (1 - gap)} y={top} height={high} />
              </a>
            );
          });
        })}
      </svg>
      <ol class="plain days muted" aria-hidden="true" style={{ gridTemplateColumns: `repeat(${bars.length}, 1fr)` }}>
        {bars.map(({ label }) => <li key={label}>{label}</li>)}
      </ol>
      <AsTable title={t(title)} bars={bars} />
    </figure>
  );
}

const textOf = (bar: Bar, part: BarPart) => `${bar.label}: ${part.label}, ${number(part.value)}`;

// Of each part of each bar. The highest bar is as high as there is room.
export function heightsOf(bars: Bar[]): number[][] {
  const sums = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const most = Math.max(1, ...sums);
  return bars.map(({ parts }) => {
    const heights = parts.map(({ value }) => Math.max(least, (height * value) / most));
    const excess = Math.max(1, heights.reduce((sum, each) => sum + each, 0) / height);
    return heights.map((each) => each / excess);
  });
}

function AsTable({ title, bars }: { title: string; bars: Bar[] }) {
  const labels = [...new Set(bars.flatMap(({ parts }) => parts.map(({ label }) => label)))];
  if (labels.length === 0) return null;
  return (
    <details>
      <summary>{t('As a table')}</summary>
      <div class="table-frame" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead><tr><th>{t('Day')}</th>{labels.map((label) => <th key={label}>{label}</th>)}</tr></thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.label}>
                <td class="narrow">{bar.label}</td>
                {labels.map((label) => <Count key={label} {...countOf(bar, label)} />)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

// Parts that are called the same are one count, which no one link leads to.
export function countOf({ parts }: Bar, label: string): { value: number; href: string | null } {
  const found = parts.filter((part) => part.label === label);
  const [first] = found;
  return {
    value: found.reduce((sum, { value }) => sum + value, 0),
    href: first && found.every(({ href }) => href === first.href) ? first.href : null,
  };
}

function Count({ value, href }: { value: number; href: string | null }) {
  return <td class="narrow">{href ? <a href={href}>{number(value)}</a> : number(value)}</td>;
}
