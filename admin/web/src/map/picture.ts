// The view as a picture to keep or print: its legend, its scale, who made the base map, and the file.
import { saveFile } from '../ui/save_file.ts';
import type { Painter } from './painter.ts';
import { strokesOf, type Style } from './styles.ts';

export interface LegendLine extends Pick<Style, 'colour' | 'width' | 'dashes' | 'mark'> { // of the line beside it
  text: string;
  dot?: boolean; // a node on it
}

export interface PictureLook {
  text: string;
  surface: string;
  muted: string;
}

const row = 19;
const edge = 12;
const font = '12px system-ui, sans-serif';

// At the lower right, as many lines as the height allows; `more` tells how many are left out.
export function paintLegend(context: Painter, width: number, height: number, lines: LegendLine[],
  look: PictureLook, more: (count: number) => string): void {
  if (lines.length === 0) return;
  const fit = Math.max(1, Math.floor((height - 6 * edge) / row));
  const shown = lines.length <= fit ? lines : lines.slice(0, fit - 1);
  const rest = lines.length > shown.length ? more(lines.length - shown.length) : '';
  context.font = font;
  const widest = Math.max(...[...shown.map(({ text }) => text), rest].map((text) => context.measureText(text).width));
  const [boxWidth, boxHeight] = [widest + 34 + 2 * edge, (shown.length + (rest ? 1 : 0)) * row + edge];
  const [left, top] = [width - boxWidth - edge, height - boxHeight - 2.5 * edge];
  context.fillStyle = look.surface;
  context.globalAlpha = 0.92;
  context.beginPath();
  context.roundRect(left, top, boxWidth, boxHeight, 8);
  context.fill();
  context.globalAlpha = 1;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  shown.forEach((line, place) => paintLine(context, line, left + edge, top + edge / 2 + (place + 0.5) * row, look));
  context.fillStyle = look.muted;
  context.fillText(rest, left + edge + 34, top + edge / 2 + (shown.length + 0.5) * row);
}

const sampleLength = 24;

function paintLine(context: Painter, { text, colour, width, dot, dashes, mark }: LegendLine, left: number, y: number, look: PictureLook): void {
  const middle = left + sampleLength / 2;
  const line = (strokes: readonly (readonly [number, number, number, number])[], stroke: string, thick: number, dash: number[]) => {
    context.strokeStyle = stroke;
    context.lineWidth = thick;
    context.lineCap = 'butt';
    context.setLineDash(dash);
    context.beginPath();
    for (const [fromX, fromY, toX, toY] of strokes) {
      context.moveTo(middle + fromX, y + fromY);
      context.lineTo(middle + toX, y + toY);
    }
    context.stroke();
    context.setLineDash([]);
  };
  line([[-sampleLength / 2, 0, sampleLength / 2, 0]], colour, width, dashes ?? []);
  const radius = mark ? 5.5 : 4;
  if (dot) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(middle, y, radius, 0, 7);
    context.fill();
  }
  if (mark) line(strokesOf[mark].map((stroke) => stroke.map((value) => value * radius) as [number, number, number, number]), look.surface, 1.6, []);
  context.fillStyle = look.text;
  context.fillText(text, left + sampleLength + 10, y);
}

// At the lower left: a bar of a round length.
export function paintScale(context: Painter, height: number, metresPerPixel: number, look: PictureLook): void {
  const { metres, text } = roundLength(metresPerPixel * 110);
  const [left, y] = [edge, height - edge];
  context.strokeStyle = look.muted;
  context.lineWidth = 2;
  context.lineCap = 'butt';
  context.beginPath();
  context.moveTo(left, y - 5);
  context.lineTo(left, y);
  context.lineTo(left + metres / metresPerPixel, y);
  context.lineTo(left + metres / metresPerPixel, y - 5);
  context.stroke();
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.fillStyle = look.muted;
  context.fillText(text, left + 4, y - 5);
}

// The longest of 1, 2, 3 and 5 times a power of ten up to `most` metres.
export function roundLength(most: number): { metres: number; text: string } {
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = power * ([5, 3, 2].find((times) => times * power <= most) ?? 1);
  return { metres, text: metres >= 1000 ? `${metres / 1000} km` : `${metres} m` };
}

export function paintAttribution(context: Painter, width: number, height: number, text: string, look: PictureLook): void {
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'right';
  context.textBaseline = 'alphabetic';
  context.fillStyle = look.muted;
  context.fillText(text, width - edge, height - 8);
}

export async function savePicture(canvas: HTMLCanvasElement, name: string): Promise<void> {
  const blob = await new Promise<Blob | null>((resolve) => { canvas.toBlob(resolve, 'image/png'); });
  if (blob) saveFile(blob, name);
}
