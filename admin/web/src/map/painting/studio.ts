// Paints the two layers that take long, the world and the network: in a worker, or in the page where
// there is none. It holds what was given to it last.
import type { Texts } from '../columns.ts';
import { Drawing, type DrawnScene, type Look, type View } from '../drawing.ts';
import type { Label } from '../names.ts';
import type { Painter } from '../painter.ts';
import type { Targets } from '../targets.ts';
import type { Work } from '../work.ts';
import { paintNames, paintWorld, type World, type WorldLook } from '../world.ts';

export type LayerName = 'world' | 'network';
export type WorldScale = 'small' | 'large';

export interface Looks {
  network: Look;
  world: WorldLook | null; // null: there is no globe
}

// What a painting has on it.
export interface Painted {
  count: number; // of elements
  targets: Targets | null; // of the network
  labels: readonly Label[];
  groups: number[]; // places of those that have something in view
}

export const finerFrom = 5; // from this zoom on the finer coast lines are worth their bytes
const nothing: Painted = { count: 0, targets: null, labels: [], groups: [] };

export class Studio {
  private readonly drawing = new Drawing();
  private readonly worlds: Partial<Record<WorldScale, World>> = {};

  setScene(scene: DrawnScene): void {
    this.drawing.setScene(scene);
  }

  setNames(names: Texts): void {
    this.drawing.setNames(names);
  }

  setWorld(scale: WorldScale, world: World): void {
    this.worlds[scale] = world;
  }

  *paint(layer: LayerName, context: Painter, view: View, looks: Looks): Work<Painted> {
    const world = looks.world && ((view.zoom >= finerFrom ? this.worlds.large : undefined) ?? this.worlds.small);
    if (layer === 'world') return world ? { ...nothing, count: yield* paintWorld(context, view, world, looks.world!) } : nothing;
    const { drawing } = this;
    const count = yield* drawing.paint(context, view, looks.network);
    yield;
    if (world) paintNames(context, view, world, looks.world!, drawing.taken); // the names of the network count more
    return { count, targets: drawing.targets(), labels: drawing.labels, groups: drawing.groupsInView() };
  }
}
