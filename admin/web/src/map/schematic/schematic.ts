// The network as the schematic view has it: the places of its layout, and those that the reader has
// given to nodes. While a layout is made each picture of it is shown; a network that follows another
// begins with the places that its nodes had.
import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { Network } from '../network.ts';
import type { Arrange } from './arranger.ts';
import type { Places } from './layout.ts';
import { keepMoved, movedBefore, type Moved } from './moved.ts';
import type { Progress } from './worker.ts';

export class Schematic {
  readonly isShown = signal(false);
  readonly isBusy = signal(false);
  readonly hasFailed = signal(false); // to make a layout
  readonly pictures = signal(0); // of layouts, that were shown
  readonly moved = signal<Moved>(new Map());

  private readonly geographic: ReadonlySignal<Network | null>;
  private readonly arrange: Arrange | null;
  private readonly arranged = signal<{ of: Network; places: Places; isFinished: boolean } | null>(null);
  private readonly stop: () => void;
  private halt: () => void = () => undefined;

  // What is drawn, whichever view is shown.
  readonly network = computed<Network | null>(() => {
    const { value: network } = this.geographic;
    const { value: arranged } = this.arranged;
    const isArranged = this.isShown.value && network !== null && arranged?.of === network;
    return isArranged ? withPlaces(network, arranged.places, this.moved.value) : network;
  });

  constructor(geographic: ReadonlySignal<Network | null>, arrange: Arrange | null) {
    this.geographic = geographic;
    this.arrange = arrange;
    if (arrange) this.moved.value = movedBefore();
    this.stop = effect(() => {
      if (!this.isShown.value) this.pause();
      else if (geographic.value) this.begin(geographic.value);
    });
  }

  dispose(): void {
    this.stop();
    this.halt();
  }

  get isPossible(): boolean {
    return this.arrange !== null;
  }

  // Whether the places are those of a layout, finished or not.
  get hasPlaces(): boolean {
    return this.arranged.value !== null && this.arranged.value.of === this.geographic.value;
  }

  private begin(network: Network): void {
    const before = this.arranged.peek();
    if (!this.arrange || (before?.of === network && before.isFinished)) return;
    this.halt();
    // A layout that was given up halfway begins anew, so that the same map has the same one.
    const seed = before && before.of !== network ? placesBefore(network, before.of, before.places) : null;
    if (seed) this.show(network, seed, false);
    [this.isBusy.value, this.hasFailed.value] = [true, false];
    const { x, y } = seed ?? network;
    const take = ({ done, ...places }: Progress) => {
      batch(() => {
        this.show(network, places, done);
        this.isBusy.value = !done;
      });
    };
    const fail = () => { [this.isBusy.value, this.hasFailed.value] = [false, true]; };
    this.halt = this.arrange({ x, y, a: network.a, b: network.b, isArranged: seed !== null }, take, fail);
  }

  // Nobody looks: nothing is computed.
  private pause(): void {
    this.halt();
    this.isBusy.value = false;
  }

  private show(network: Network, places: Places, isFinished: boolean): void {
    batch(() => {
      this.arranged.value = { of: network, places, isFinished };
      this.pictures.value = this.pictures.peek() + 1;
    });
  }

  // To a place on the square, until keep().
  move(number: number, x: number, y: number): void {
    const moved = new Map(this.moved.value);
    moved.delete(number); // the newest stand last
    this.moved.value = moved.set(number, [inside(x), inside(y)]);
  }

  keep(): void {
    keepMoved(this.moved.value);
  }

  putBack(): void {
    this.moved.value = new Map();
    this.keep();
  }
}

const inside = (value: number) => Math.max(0, Math.min(1, value));

function placesBefore(network: Network, before: Network, { x, y }: Places): Places {
  const pick = (values: Float64Array) => Float64Array.from(network.columns.nodes.number, (number) => {
    const place = before.nodeAt(number);
    return place === undefined ? NaN : values[place]!;
  });
  return { x: pick(x), y: pick(y) };
}

// Links are straight there.
export function withPlaces(network: Network, places: Places, moved: Moved): Network {
  const [x, y] = [places.x.slice(), places.y.slice()];
  for (const [number, [movedX, movedY]] of moved) {
    const place = network.nodeAt(number);
    if (place !== undefined) [x[place], y[place]] = [movedX, movedY];
  }
  return { ...network, x, y, isGlobe: false };
}
