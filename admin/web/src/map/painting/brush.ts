// How a layer gets painted: its canvas is shown once it is complete.
import type { View } from '../drawing.ts';

export interface Brush {
  // Paints one view, instead of the one before if that is not done yet. `ratio`: pixels of the canvas for
  // one of the page. `done` is called with a canvas that is not shown, and how many things it has.
  begin(view: View, ratio: number, done: (canvas: HTMLCanvasElement, count: number) => void): void;
  stop(): void;
}

export function newCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.className = 'leaflet-zoom-animated';
  canvas.setAttribute('aria-hidden', 'true');
  return canvas;
}

// Setting its size clears a canvas, and takes long where it has that size already.
export function resize(canvas: HTMLCanvasElement | OffscreenCanvas, { width, height }: View, ratio: number): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  if ('style' in canvas) Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
}

export function cleared<C extends CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D>(context: C, { width, height }: View, ratio: number): C {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
