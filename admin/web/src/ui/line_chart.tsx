// A line over time, and the same as a table: small enough to be drawn here.
import { day, number, t, type Text } from '../i18n/index.ts';

export interface ChartPoint { time: string; value: number | null; href?: string } // to what the value is of

interface Props {
  title: Text;
  points: ChartPoint[];
  range: [number, number]; // of the values
}

type Known = ChartPoint & { value: number };

const width = 600;
const height = 120;

export function LineChart({ title, points, range }: Props) {
  const known = points.filter((point): point is Known => point.value !== null);
  const first = known[0];
  const last = known[known.length - 1];
  if (!first || !last) return null;
  return (
    <figure class="line-chart">
      <figcaption>{t(title)}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${t(title)}: ${day(first.time)} ${number(first.value)}, ${day(last.time)} ${number(last.value)}`}>
        <line x1="0" x2={width} y1={height} y2={height} />
        <polyline points={lineOf(known, range)} />
      </svg>
      <div class="ends muted"><span>{day(first.time)}: <Value point={first} /></span><span>{day(last.time)}: <Value point={last} /></span></div>
      <details>
        <summary>{t('As a table')}</summary>
        <table>
          <thead><tr><th>{t('Time')}</th><th>{t(title)}</th></tr></thead>
          <tbody>{known.map((point) => <tr key={point.time}><td>{day(point.time)}</td><td class="narrow"><Value point={point} /></td></tr>)}</tbody>
        </table>
      </details>
    </figure>
  );
}

const Value = ({ point: { value, href } }: { point: Known }) => (href ? <a href={href}>{number(value)}</a> : <>{number(value)}</>);

// Points lie as far apart as their times.
export function lineOf(points: { time: string; value: number }[], [least, most]: [number, number]): string {
  const times = points.map((point) => new Date(point.time).valueOf());
  const begin = times[0] ?? 0;
  const length = Math.max(1, (times[times.length - 1] ?? 0) - begin);
  return points.map((point, index) => {
    const x = (width * (times[index]! - begin)) / length;
    const y = height * (1 - (point.value - least) / (most - least));
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  }).join(' ');
}
