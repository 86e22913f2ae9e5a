// Numbers on links, in small circles: each link that is long enough has one in its middle, where no
// other badge is.
import type { Clusters } from './clusters.ts';
import type { Look, View } from './drawing.ts';
import { BoxGrid, type Box } from './labels.ts';
import type { Painter } from './painter.ts';
import { middleOf } from './pen.ts';
import type { Style } from './styles.ts';

const radius = 8;
const shortest = 3 * radius; // pixels

// `lines`: those in view. Answers where the badges are.
export function paintBadges(context: Painter, { scale, left, top }: View, clusters: Clusters, lines: Int32Array,
  palette: Style[], bowOf: (line: number) => number, look: Look): Box[] {
  if (palette.every(({ badge }) => badge === undefined)) return [];
  const taken = new BoxGrid();
  const boxes: Box[] = [];
  context.font = '700 11px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const line of lines) {
    const { badge, colour } = palette[clusters.lineStyle[line]!]!;
    if (badge === undefined) continue;
    const [a, b] = [clusters.lineA[line]!, clusters.lineB[line]!];
    const at = (end: number): [number, number] => [clusters.x[end]! * scale - left, clusters.y[end]! * scale - top];
    const [[ax, ay], [bx, by]] = [at(a), at(b)];
    if (Math.hypot(bx - ax, by - ay) < shortest) continue;
    const path = clusters.paths.of.get(line);
    const [x, y] = middleOf(ax, ay, bx, by, bowOf(line), path && { path, scale, left, top });
    const box = { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
    if (taken.touches(box)) continue;
    taken.add(box);
    boxes.push(box);
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.fillStyle = colour;
    context.fill();
    context.fillStyle = look.surface;
    context.fillText(badge, x, y + 0.5);
  }
  return boxes;
}
