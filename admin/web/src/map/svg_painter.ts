// Takes the calls of a canvas and writes it as SVG 1.1: each path that is filled or stroked, and each
// text, becomes an element. Texts are measured by a real canvas.
import type { Painter } from './painter.ts';

const anchors: Partial<Record<CanvasTextAlign, string>> = { center: 'middle', right: 'end', end: 'end' };
const rounded = (value: number): number => Math.round(value * 100) / 100;

// What no XML may hold: names are data of others.
const noXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(noXml, '').replace(/[&<>"]/g, (found) => escapes[found]!);

// "600 11px system-ui, sans-serif", not as a style: a page that shows the file may forbid those.
function fontOf(font: string): string {
  const [, weight, size, family] = /^(?:(\d+) )?([\d.]+px) (.+)$/.exec(font) ?? [];
  return `font-family="${escaped(family ?? font)}"${size ? ` font-size="${size}"` : ''}${weight ? ` font-weight="${weight}"` : ''}`;
}

export class SvgPainter implements Painter {
  strokeStyle: Painter['strokeStyle'] = '#000';
  fillStyle: Painter['fillStyle'] = '#000';
  lineWidth = 1;
  lineCap: CanvasLineCap = 'butt';
  lineJoin: CanvasLineJoin = 'miter';
  globalAlpha = 1;
  font = '10px sans-serif';
  textAlign: CanvasTextAlign = 'start';
  textBaseline: CanvasTextBaseline = 'alphabetic';
  private dashes: number[] = [];
  private path: string[] = [];
  private readonly elements: string[] = [];
  private readonly measure: Pick<CanvasRenderingContext2D, 'font' | 'measureText'>;

  constructor(measure: Pick<CanvasRenderingContext2D, 'font' | 'measureText'>) {
    this.measure = measure;
  }

  // The whole file.
  write(width: number, height: number, title: string): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n`
      + `<title>${escaped(title)}</title>\n${this.elements.join('\n')}\n</svg>\n`;
  }

  beginPath(): void {
    this.path = [];
  }

  moveTo(x: number, y: number): void {
    this.step('M', x, y);
  }

  lineTo(x: number, y: number): void {
    this.step(this.path.length === 0 ? 'M' : 'L', x, y);
  }

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.step('Q', cx, cy, x, y);
  }

  closePath(): void {
    this.path.push('Z');
  }

  // Clockwise; as on a canvas a line leads to where it begins.
  arc(x: number, y: number, radius: number, from: number, to: number): void {
    const at = (angle: number): [number, number] => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    this.lineTo(...at(from));
    const end = Math.min(to, from + 2 * Math.PI);
    const half = (from + end) / 2; // a circle has no single arc
    this.step('A', radius, radius, 0, 0, 1, ...at(half));
    this.step('A', radius, radius, 0, 0, 1, ...at(end));
  }

  roundRect(x: number, y: number, width: number, height: number, radii?: number | DOMPointInit | Iterable<number | DOMPointInit>): void {
    const r = typeof radii === 'number' ? radii : 0;
    this.moveTo(x + r, y);
    for (const [cx, cy, dx, dy] of [[x + width, y, 0, 1], [x + width, y + height, -1, 0], [x, y + height, 0, -1], [x, y, 1, 0]] as const) {
      const [backX, backY] = [dy, -dx]; // the edge that leads to this corner
      this.lineTo(cx - r * backX, cy - r * backY);
      this.step('A', r, r, 0, 0, 1, cx + r * dx, cy + r * dy);
    }
    this.closePath();
  }

  fill(): void {
    if (this.path.length > 0) this.add(`<path d="${this.path.join('')}" ${this.filled()}/>`);
  }

  stroke(): void {
    if (this.path.length > 0) this.add(`<path d="${this.path.join('')}" ${this.stroked()}/>`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.add(`<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}" ${this.filled()}/>`);
  }

  fillText(text: string, x: number, y: number): void {
    this.text(text, x, y, this.filled());
  }

  strokeText(text: string, x: number, y: number): void {
    this.text(text, x, y, this.stroked());
  }

  measureText(text: string): TextMetrics {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }

  setLineDash(dashes: Iterable<number>): void {
    this.dashes = [...dashes];
  }

  private step(command: string, ...values: number[]): void {
    this.path.push(command + values.map(rounded).join(' '));
  }

  private add(element: string): void {
    this.elements.push(element);
  }

  private text(text: string, x: number, y: number, paint: string): void {
    if (text === '') return;
    const anchor = anchors[this.textAlign];
    const place = `x="${rounded(x)}" y="${rounded(y)}"${anchor ? ` text-anchor="${anchor}"` : ''}${this.textBaseline === 'middle' ? ' dominant-baseline="central"' : ''}`;
    this.add(`<text ${place} ${fontOf(this.font)} ${paint}>${escaped(text)}</text>`);
  }

  private filled(): string {
    return `fill="${String(this.fillStyle)}"${this.alpha()}`;
  }

  private stroked(): string {
    const dashes = this.dashes.length > 0 ? ` stroke-dasharray="${this.dashes.map(rounded).join(' ')}"` : '';
    return `fill="none" stroke="${String(this.strokeStyle)}" stroke-width="${rounded(this.lineWidth)}" stroke-linecap="${this.lineCap}" stroke-linejoin="${this.lineJoin}"${dashes}${this.alpha()}`;
  }

  private alpha(): string {
    return this.globalAlpha < 1 ? ` opacity="${rounded(this.globalAlpha)}"` : '';
  }
}
