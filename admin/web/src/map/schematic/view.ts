// What the schematic view does to a chart: it is brought into view while it takes shape, the window on
// the globe comes back afterwards, and nodes can be dragged.
import { effect, untracked } from '@preact/signals';
import type L from 'leaflet';
import type { Chart } from '../chart.ts';
import type { MapModel } from '../model.ts';

const fluentMost = 3000; // nodes; of more a node that is dragged jumps at the end

// `hasView`: the page was opened with a view of its own. Answers how to stop.
export function followSchematic(chart: Chart, model: MapModel, hasView: boolean): () => void {
  const stops = [followLayout(chart, model, hasView), followDragging(chart, model)];
  return () => stops.forEach((stop) => stop());
}

// Brings all of it into view with each picture, until the reader looks elsewhere.
function followLayout(chart: Chart, { schematic }: MapModel, hasView: boolean): () => void {
  const { map } = chart;
  let wasShown = schematic.isShown.peek();
  let globe: { center: L.LatLng; zoom: number } | null = null; // where the reader was there
  let follows = wasShown && !hasView;
  let fitted: string | null = null; // what the view was after that
  return effect(() => {
    const { value: isShown } = schematic.isShown;
    void schematic.pictures.value;
    untracked(() => {
      if (isShown && !wasShown) {
        globe = { center: map.getCenter(), zoom: map.getZoom() };
        [follows, fitted] = [true, null];
      } else if (!isShown && wasShown) {
        if (globe) map.setView(globe.center, globe.zoom, { animate: false });
        else chart.showAll(false);
      }
      wasShown = isShown;
      if (fitted !== null && chart.viewText !== fitted) follows = false;
      if (!isShown || !schematic.hasPlaces || !follows) return;
      chart.showAll(false);
      fitted = chart.viewText;
    });
  });
}

// The map itself stands still meanwhile, and the click at the end is none.
function followDragging(chart: Chart, { schematic, mask }: MapModel): () => void {
  const { map } = chart;
  let node: number | null = null;
  let at: L.Point | null = null; // on the square; null: it has not moved yet
  const onDown = (event: L.LeafletMouseEvent) => {
    if (event.originalEvent.button !== 0) return;
    node = schematic.isShown.value && schematic.hasPlaces ? chart.nodeAt(event) : null;
    if (node === null) return;
    at = null;
    document.addEventListener('mousemove', onMove, true);
    document.addEventListener('mouseup', onUp, true);
  };
  const onMove = (event: MouseEvent) => {
    event.stopPropagation();
    at = map.project(map.mouseEventToLatLng(event), 0).divideBy(256);
    if (mask.value!.nodeCount <= fluentMost) schematic.move(node!, at.x, at.y);
  };
  const letGo = () => {
    document.removeEventListener('mousemove', onMove, true);
    document.removeEventListener('mouseup', onUp, true);
    node = at = null;
  };
  const onUp = (event: MouseEvent) => {
    if (event.button !== 0) return;
    const [moved, to] = [node, at];
    letGo();
    if (moved === null || !to) return;
    schematic.move(moved, to.x, to.y);
    schematic.keep();
    const swallow = (event: Event) => event.stopPropagation();
    document.addEventListener('click', swallow, true);
    setTimeout(() => document.removeEventListener('click', swallow, true)); // it follows at once, if at all
  };
  map.on('mousedown', onDown);
  return () => {
    letGo();
    map.off('mousedown', onDown);
  };
}
