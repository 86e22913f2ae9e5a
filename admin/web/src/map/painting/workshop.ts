// The worker that paints, as the page sees it. Where it fails the page has to paint by itself.
import { noTexts, type Texts } from '../columns.ts';
import type { DrawnNetwork, Network } from '../network.ts';
import type { Scene, View } from '../drawing.ts';
import type { World } from '../world.ts';
import { newCanvas, resize, type Brush } from './brush.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import type { LayerName, Looks, Painted, WorldScale } from './studio.ts';

const bytesAtOnce = 32e6;

// To the worker, with the memory that it takes over.
interface Parcel {
  message: ToWorker;
  moved: ArrayBuffer[];
}

// A copy of each of its columns is moved: a browser that copies them itself takes ten times as long.
function copied<T extends object>(value: T, moved: ArrayBuffer[]): T {
  return Object.fromEntries(Object.entries(value).map(([key, member]: [string, unknown]) => {
    if (!ArrayBuffer.isView(member)) return [key, member];
    const copy = (member as Float64Array<ArrayBuffer>).slice();
    moved.push(copy.buffer);
    return [key, copy];
  })) as T;
}

function parcelOf(message: (moved: ArrayBuffer[]) => ToWorker): Parcel {
  const moved: ArrayBuffer[] = [];
  return { message: message(moved), moved };
}

// Made one after the other, each when it is sent.
function* parcelsOf({ network, mask, styled, grouping }: Scene, isKnown: boolean): Generator<Parcel> {
  const { x, y, a, b, isGlobe, degree, columns } = network;
  if (!isKnown) {
    for (const part of [{ isGlobe, x, columns: { nodes: { name: noTexts() } } }, { y }, { a, b }, { degree }] satisfies Partial<DrawnNetwork>[]) {
      yield parcelOf((moved) => ({ kind: 'network', part: copied(part, moved) }));
    }
  }
  yield parcelOf((moved) => ({
    kind: 'scene',
    scene: { mask: copied(mask, moved), styled: copied(styled, moved), grouping: grouping && copied(grouping, moved) },
  }));
  if (!isKnown) yield parcelOfNames(columns.nodes.name);
}

const parcelOfNames = (names: Texts): Parcel => parcelOf((moved) => ({ kind: 'names', names: copied(names, moved) }));

const bytesOf = ({ moved }: Parcel) => moved.reduce((sum, { byteLength }) => sum + byteLength, 0);

export class Workshop {
  private readonly worker: Worker;
  private network: Network | null = null; // that the worker has
  private waiting: Iterator<Parcel> | null = null; // of a scene
  private frame = 0;
  private readonly takers = new Map<LayerName, (answer: FromWorker) => void>();

  constructor(worker: Worker, fail: () => void) {
    this.worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.takers.get(data.layer)?.(data));
    worker.addEventListener('error', fail); // also where its script cannot be loaded
    worker.addEventListener('messageerror', fail);
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.worker.terminate();
  }

  // A large one goes in parts, some in each frame: copying all of it would hold one up. `then`: the worker has it.
  setScene(scene: Scene, then: () => void): void {
    cancelAnimationFrame(this.frame);
    const { network } = scene;
    this.waiting = parcelsOf(scene, this.network === network);
    this.network = null; // until it has all of it
    const send = () => {
      for (let bytes = 0; bytes < bytesAtOnce;) {
        const next = this.waiting!.next();
        if (next.done) {
          this.waiting = null;
          this.network = network;
          then();
          return;
        }
        this.send(next.value);
        bytes += bytesOf(next.value);
      }
      this.frame = requestAnimationFrame(send);
    };
    send();
  }

  get isSending(): boolean {
    return this.waiting !== null;
  }

  // Of the network that it has, or else they are sent with it.
  setNames(names: Texts): void {
    if (this.network) this.send(parcelOfNames(names));
  }

  setWorld(scale: WorldScale, world: World): void {
    this.tell({ kind: 'world', scale, world });
  }

  // `painted` is called before the canvas is shown.
  brush(layer: LayerName, looks: () => Looks, painted: (what: Painted) => void): Brush {
    return new WorkshopBrush(layer, (message) => this.tell(message), (take) => this.takers.set(layer, take), looks, painted);
  }

  private send({ message, moved }: Parcel): void {
    this.worker.postMessage(message, moved);
  }

  private tell(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}

class WorkshopBrush implements Brush {
  private order = 0;
  private ask: { view: View; ratio: number; done: (canvas: HTMLCanvasElement, count: number) => void } | null = null;
  private canvas = newCanvas();
  private spare = newCanvas(); // of the two one may be shown
  private readonly layer: LayerName;
  private readonly tell: (message: ToWorker) => void;
  private readonly looks: () => Looks;
  private readonly painted: (what: Painted) => void;

  constructor(layer: LayerName, tell: (message: ToWorker) => void, listen: (take: (answer: FromWorker) => void) => void,
    looks: () => Looks, painted: (what: Painted) => void) {
    [this.layer, this.tell, this.looks, this.painted] = [layer, tell, looks, painted];
    listen((answer) => this.take(answer));
  }

  begin(view: View, ratio: number, done: (canvas: HTMLCanvasElement, count: number) => void): void {
    this.order += 1;
    this.ask = { view, ratio, done };
    this.tell({ kind: 'paint', layer: this.layer, order: this.order, view, ratio, looks: this.looks() });
  }

  stop(): void {
    if (this.ask) this.tell({ kind: 'stop', layer: this.layer });
    this.ask = null;
  }

  private take({ order, picture, painted }: FromWorker): void {
    const { ask } = this;
    if (!ask || order !== this.order) {
      picture.close(); // of an order that is no longer wanted
      return;
    }
    this.ask = null;
    [this.canvas, this.spare] = [this.spare, this.canvas];
    resize(this.canvas, ask.view, ask.ratio);
    this.canvas.getContext('bitmaprenderer')!.transferFromImageBitmap(picture);
    this.painted(painted);
    ask.done(this.canvas, painted.count);
  }
}
