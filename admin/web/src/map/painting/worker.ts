// Paints beside the page. Between two slices of its work it takes the messages that came meanwhile.
import type { DrawnNetwork } from '../network.ts';
import { advance, type Work } from '../work.ts';
import { cleared, resize } from './brush.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { Studio, type LayerName, type Painted } from './studio.ts';

interface Job {
  work: Work<Painted>;
  order: number;
}

const sliceMilliseconds = 12;
const studio = new Studio();
const canvases: Record<LayerName, OffscreenCanvas> = { world: new OffscreenCanvas(1, 1), network: new OffscreenCanvas(1, 1) };
// The first stroke of a worker waits until the page has time to tell how it may paint: now it has.
for (const canvas of Object.values(canvases)) canvas.getContext('2d')!.clearRect(0, 0, 1, 1);
const jobs = new Map<LayerName, Job>();
const turn = new MessageChannel(); // sooner than a timer
let network: Partial<DrawnNetwork> = {};
let isAwake = false;

function wake(): void {
  if (isAwake || jobs.size === 0) return;
  isAwake = true;
  turn.port2.postMessage(null);
}

turn.port1.onmessage = () => {
  isAwake = false;
  const [next] = jobs;
  if (next) slice(...next);
  wake();
};

function slice(layer: LayerName, { work, order }: Job): void {
  const step = advance(work, sliceMilliseconds);
  if (!step.done) return;
  jobs.delete(layer);
  const answer: FromWorker = { layer, order, picture: canvases[layer].transferToImageBitmap(), painted: step.value };
  postMessage(answer, { transfer: [answer.picture] });
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'network': network = { ...network, ...data.part }; break;
    case 'scene': studio.setScene({ ...data.scene, network: network as DrawnNetwork }); break;
    case 'names': studio.setNames(data.names); break;
    case 'world': studio.setWorld(data.scale, data.world); break;
    case 'stop': jobs.delete(data.layer); break;
    case 'paint': {
      const { layer, order, view, ratio, looks } = data;
      resize(canvases[layer], view, ratio);
      const context = cleared(canvases[layer].getContext('2d')!, view, ratio);
      jobs.set(layer, { order, work: studio.paint(layer, context as never, view, looks) });
    }
  }
  wake();
});
