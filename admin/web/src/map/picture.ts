// The view as a picture to keep or print: its legend, who made the base map, and the file.
export interface LegendLine {
  text: string;
  colour: string;
  width: number; // of the line beside it
  dot?: boolean; // a node on it
  dashes?: number[];
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
export function paintLegend(context: CanvasRenderingContext2D, width: number, height: number, lines: LegendLine[],
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
  shown.forEach(({ text, colour, width: thick, dot, dashes }, place) => {
    const y = top + edge / 2 + (place + 0.5) * row;
    context.strokeStyle = colour;
    context.lineWidth = thick;
    context.setLineDash(dashes ?? []);
    context.beginPath();
    context.moveTo(left + edge, y);
    context.lineTo(left + edge + 24, y);
    context.stroke();
    context.fillStyle = colour;
    if (dot) {
      context.beginPath();
      context.arc(left + edge + 12, y, 4, 0, 7);
      context.fill();
    }
    context.fillStyle = look.text;
    context.fillText(text, left + edge + 34, y);
  });
  context.setLineDash([]);
  context.fillStyle = look.muted;
  context.fillText(rest, left + edge + 34, top + edge / 2 + (shown.length + 0.5) * row);
}

export function paintAttribution(context: CanvasRenderingContext2D, width: number, height: number, text: string, look: PictureLook): void {
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'right';
  context.textBaseline = 'alphabetic';
  context.fillStyle = look.muted;
  context.fillText(text, width - edge, height - 8);
}

export async function savePicture(canvas: HTMLCanvasElement, name: string): Promise<void> {
  const blob = await new Promise<Blob | null>((resolve) => { canvas.toBlob(resolve, 'image/png'); });
  if (!blob) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // a browser may begin to save later
}
