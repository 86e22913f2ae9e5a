// The messages between the page and its worker.
import type { Texts } from '../columns.ts';
import type { DrawnNetwork } from '../network.ts';
import type { DrawnScene, View } from '../drawing.ts';
import type { World } from '../world.ts';
import type { LayerName, Looks, Painted, WorldScale } from './studio.ts';

export type ToWorker =
  | { kind: 'network'; part: Partial<DrawnNetwork> } // all of them together, before the scenes on it
  | { kind: 'scene'; scene: Omit<DrawnScene, 'network'> }
  | { kind: 'names'; names: Texts } // of the nodes of the scene
  | { kind: 'world'; scale: WorldScale; world: World }
  | { kind: 'paint'; layer: LayerName; order: number; view: View; ratio: number; looks: Looks } // instead of what is painted there
  | { kind: 'stop'; layer: LayerName };

export interface FromWorker {
  layer: LayerName;
  order: number;
  picture: ImageBitmap;
  painted: Painted;
}
