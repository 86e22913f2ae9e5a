// Strokes on a canvas: straight ones, those that bow out beside their parallels, and great circles.
import type { Path } from './great_circle.ts';
import type { Painter } from './painter.ts';

export interface Stroke {
  colour: string;
  width: number;
  alpha: number;
  dashes?: number[] | undefined;
}

const pointsApart = 14; // pixels: a bend between them is not seen
export const strokesAtOnce = 500; // one path with very many strokes is slow to draw

// Strokes of one kind, in paths of a bounded number of them.
export class Pen {
  private strokes = 0;

  private readonly context: Painter;

  constructor(context: Painter, { colour, width, alpha, dashes }: Stroke) {
    this.context = context;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineCap = dashes ? 'butt' : 'round';
    context.lineJoin = 'round';
    context.globalAlpha = alpha;
    context.setLineDash(dashes ?? []);
    context.beginPath();
  }

  line(ax: number, ay: number, bx: number, by: number, bow: number): void {
    this.context.moveTo(ax, ay);
    if (bow === 0) this.context.lineTo(bx, by);
    else this.context.quadraticCurveTo(...controlPoint(ax, ay, bx, by, bow), bx, by);
    this.count();
  }

  path(path: Path, scale: number, left: number, top: number, bow: number): void {
    forEachLine(path, scale, left, top, bow, (x, y, isFirst) => {
      if (isFirst) this.context.moveTo(x, y);
      else this.context.lineTo(x, y);
    });
    this.count();
  }

  private count(): void {
    this.strokes += 1;
    if (this.strokes >= strokesAtOnce) this.stroke();
  }

  // What was added up to now, and goes on.
  stroke(): void {
    this.context.stroke();
    this.context.beginPath();
    this.strokes = 0;
  }

  end(): void {
    this.context.stroke();
    this.context.setLineDash([]);
    this.context.globalAlpha = 1;
  }
}

// The points of a path on the screen that are some pixels apart, pushed aside by up to `bow` in its middle.
function forEachLine(path: Path, scale: number, left: number, top: number, bow: number,
  visit: (x: number, y: number, isFirst: boolean) => void): void {
  const all = path.reduce((sum, line) => sum + line.length / 2, 0) - 1;
  let passed = 0;
  for (const line of path) {
    let [lastX, lastY] = [NaN, NaN];
    for (let i = 0; i < line.length; i += 2, passed += 1) {
      let [x, y] = [line[i]! * scale - left, line[i + 1]! * scale - top];
      const isNear = Math.abs(x - lastX) + Math.abs(y - lastY) < pointsApart;
      if (isNear && i < line.length - 2) continue;
      [lastX, lastY] = [x, y];
      if (bow !== 0) {
        const [from, to] = [Math.max(0, i - 2), Math.min(line.length - 2, i + 2)];
        const [dx, dy] = [line[to]! - line[from]!, line[to + 1]! - line[from + 1]!];
        const out = (bow * Math.sin((Math.PI * passed) / all)) / (Math.hypot(dx, dy) || 1);
        [x, y] = [x - dy * out, y + dx * out];
      }
      visit(x, y, i === 0);
    }
  }
}

export function distanceToPath(px: number, py: number, path: Path, scale: number, left: number, top: number, bow: number): number {
  let least = Infinity;
  let [lastX, lastY] = [0, 0];
  forEachLine(path, scale, left, top, bow, (x, y, isFirst) => {
    if (!isFirst) least = Math.min(least, distanceToSegment(px, py, lastX, lastY, x, y));
    [lastX, lastY] = [x, y];
  });
  return least;
}

// Of a link as it is drawn; `long`: as a path.
export function middleOf(ax: number, ay: number, bx: number, by: number, bow: number,
  long: { path: Path; scale: number; left: number; top: number } | undefined): [number, number] {
  if (long) {
    const line = long.path.reduce((longest, next) => (next.length > longest.length ? next : longest));
    const at = 2 * Math.floor(line.length / 4);
    return [line[at]! * long.scale - long.left, line[at + 1]! * long.scale - long.top];
  }
  const [cx, cy] = bow === 0 ? [(ax + bx) / 2, (ay + by) / 2] : controlPoint(ax, ay, bx, by, bow);
  return [(ax + 2 * cx + bx) / 4, (ay + 2 * cy + by) / 4];
}

// A curve through here bows out by `bow` pixels in its middle, less where the ends are close.
function controlPoint(ax: number, ay: number, bx: number, by: number, bow: number): [number, number] {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const out = (2 * Math.sign(bow) * Math.min(Math.abs(bow), length / 3)) / length;
  return [(ax + bx) / 2 - (by - ay) * out, (ay + by) / 2 + (bx - ax) * out];
}

export function distanceToLink(px: number, py: number, ax: number, ay: number, bx: number, by: number, bow: number): number {
  if (bow === 0) return distanceToSegment(px, py, ax, ay, bx, by);
  const [cx, cy] = controlPoint(ax, ay, bx, by, bow);
  let least = Infinity;
  let [fromX, fromY] = [ax, ay];
  for (let step = 1; step <= 8; step++) {
    const t = step / 8;
    const u = 1 - t;
    const toX = u * u * ax + 2 * u * t * cx + t * t * bx;
    const toY = u * u * ay + 2 * u * t * cy + t * t * by;
    least = Math.min(least, distanceToSegment(px, py, fromX, fromY, toX, toY));
    [fromX, fromY] = [toX, toY];
  }
  return least;
}

function distanceToSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / length));
  return Math.hypot(px - ax - t * dx, py - ay - t * dy);
}
