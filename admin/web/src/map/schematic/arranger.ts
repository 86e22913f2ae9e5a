// The layout of the schematic view, asked of a worker: one at a time, the newest graph counts.
import type { Graph } from './layout.ts';
import type { Progress } from './worker.ts';

// `fail`: there will be no layout.
export type Arrange = (graph: Graph, take: (progress: Progress) => void, fail: () => void) => () => void;

// Answers how to stop.
export const arrangeInWorker: Arrange = (graph, take, fail) => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<Progress>) => {
    take(data);
    if (data.done) worker.terminate();
  });
  const giveUp = () => {
    worker.terminate();
    fail();
  };
  worker.addEventListener('error', giveUp); // also where its script cannot be loaded
  worker.addEventListener('messageerror', giveUp);
  worker.postMessage(graph);
  return () => worker.terminate();
};
