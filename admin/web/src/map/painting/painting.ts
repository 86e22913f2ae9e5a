// What paints the world and the network of one chart: a worker, where there is one and as long as it works,
// else the page itself.
import type { Texts } from '../columns.ts';
import type { Scene, View } from '../drawing.ts';
import type { Painter } from '../painter.ts';
import { finish } from '../work.ts';
import type { World } from '../world.ts';
import type { Brush } from './brush.ts';
import { PageBrush } from './page_brush.ts';
import { Studio, type LayerName, type Looks, type Painted, type WorldScale } from './studio.ts';
import { Workshop } from './workshop.ts';

interface Wishes {
  newWorker?: (() => Worker) | undefined; // runs worker.ts; none: the page paints by itself
  looks: () => Looks; // of what is painted next
  take: (layer: LayerName, painted: Painted) => void; // before it is shown
  repaint: (layers: LayerName[]) => void; // is called when they have to be painted anew
}

const isAble = typeof OffscreenCanvas !== 'undefined' && typeof Worker !== 'undefined';

export class Painting {
  private readonly studio = new Studio(); // for pictures, and where there is no worker
  private workshop: Workshop | null;
  private names: Uint32Array | null = null; // that are painted: where each ends
  private readonly wishes: Wishes;

  constructor(wishes: Wishes) {
    this.wishes = wishes;
    this.workshop = isAble && wishes.newWorker ? new Workshop(wishes.newWorker(), () => this.giveUp()) : null;
  }

  dispose(): void {
    this.workshop?.dispose();
  }

  private giveUp(): void {
    this.workshop?.dispose();
    this.workshop = null;
    this.wishes.repaint(['world', 'network']);
  }

  // What paints a layer next.
  brushOf(layer: LayerName): () => Brush {
    const { studio, wishes: { looks, take } } = this;
    const inPage = new PageBrush(function* paint(context, view) {
      const painted = yield* studio.paint(layer, context, view, looks());
      take(layer, painted);
      return painted.count;
    });
    const inWorker = this.workshop?.brush(layer, looks, (painted) => take(layer, painted));
    return () => (this.workshop && inWorker ? inWorker : inPage);
  }

  setScene(scene: Scene): void {
    const repaint = () => this.wishes.repaint(['network']);
    this.names = scene.network.columns.nodes.name.ends;
    this.studio.setScene(scene);
    if (this.workshop) this.workshop.setScene(scene, repaint);
    else repaint();
  }

  // Of the nodes of the scene, which come behind the rest of it.
  setNames(names: Texts): void {
    if (names.ends === this.names) return;
    this.names = names.ends;
    this.workshop?.setNames(names);
    this.wishes.repaint(['network']);
  }

  setWorld(scale: WorldScale, world: World): void {
    this.studio.setWorld(scale, world);
    this.workshop?.setWorld(scale, world);
    this.wishes.repaint(['world', 'network']); // whose names stand beside those of countries
  }

  get isSending(): boolean {
    return this.workshop?.isSending ?? false;
  }

  // All of it at once, for a picture.
  paint(context: Painter, view: View): void {
    for (const layer of ['world', 'network'] as const) finish(this.studio.paint(layer, context, view, this.wishes.looks()));
  }
}
