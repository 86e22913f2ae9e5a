// Computes the layout beside the page, and tells the places several times a second.
import { arrange, type Graph, type Places } from './layout.ts';

export interface Progress extends Places {
  done: boolean;
}

const milliseconds = 400; // between two pictures

addEventListener('message', ({ data }: MessageEvent<Graph>) => {
  let last = performance.now();
  let places: Places = { x: data.x, y: data.y };
  for (places of arrange(data)) {
    if (performance.now() - last < milliseconds) continue;
    last = performance.now();
    postMessage({ ...places, done: false } satisfies Progress);
  }
  postMessage({ ...places, done: true } satisfies Progress);
});
