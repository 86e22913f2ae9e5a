// Paints in the page, in slices of a few milliseconds, one in each frame.
import type { View } from '../drawing.ts';
import { advance, type Work } from '../work.ts';
import { cleared, newCanvas, resize, type Brush } from './brush.ts';

const sliceMilliseconds = 8;

export class PageBrush implements Brush {
  private readonly paint: (context: CanvasRenderingContext2D, view: View) => Work<number>;
  private canvas = newCanvas();
  private spare = newCanvas(); // of the two one may be shown
  private frame = 0;

  constructor(paint: (context: CanvasRenderingContext2D, view: View) => Work<number>) {
    this.paint = paint;
  }

  begin(view: View, ratio: number, done: (canvas: HTMLCanvasElement, count: number) => void): void {
    this.stop();
    resize(this.spare, view, ratio);
    const work = this.paint(cleared(this.spare.getContext('2d')!, view, ratio), view);
    const slice = () => {
      const step = advance(work, sliceMilliseconds);
      if (!step.done) {
        this.frame = requestAnimationFrame(slice);
        return;
      }
      [this.canvas, this.spare] = [this.spare, this.canvas];
      done(this.canvas, step.value);
    };
    slice();
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
  }
}
