// A line with a node on it, as the map draws them in a style.
import { strokesOf, type Style } from './styles.ts';

const radius = 5.5;
const surface = 'var(--map-surface)';

export function Sample({ style: { colour, width, dashes, mark, badge } }: { style: Style }) {
  const sampled = badge ? dashes?.map((length) => length / 2) : dashes; // those of routes are long
  const strokes = mark ? strokesOf[mark] : [];
  return (
    <svg viewBox="0 0 30 12" aria-hidden="true">
      <path d="M1 6h28" stroke={colour} stroke-width={width} stroke-dasharray={sampled?.join(' ')} />
      <circle cx="15" cy="6" r={radius} fill={colour} />
      <path d={strokes.map(([fromX, fromY, toX, toY]) => `M${15 + radius * fromX} ${6 + radius * fromY}L${15 + radius * toX} ${6 + radius * toY}`).join('')} stroke={surface} stroke-width="1.6" />
      {badge && <text x="15" y="9" text-anchor="middle" font-size="8" font-weight="700" fill={surface}>{badge}</text>}
    </svg>
  );
}
