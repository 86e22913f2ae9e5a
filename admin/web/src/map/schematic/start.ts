// Where the simulation begins: at the places that nodes have, drawn together or apart to an area that
// suits their number; a node without a place beside the nodes that it is linked to.
import type { Graph, Places } from './layout.ts';

const areaOfNode = 30 * 30; // in the units of the simulation
const turn = Math.PI * (3 - Math.sqrt(5)); // of a spiral that fills a circle evenly

// `scale`: units for the width of the square, of places that are those of a layout.
export function startOf(graph: Graph, scale: number): Places {
  const places = graph.isArranged ? scaled(graph, scale, scale, 0.5, 0.5) : spread(graph);
  placeNeighbours(graph, places);
  placeRest(places);
  return places;
}

function scaled({ x, y }: Graph, scaleX: number, scaleY: number, middleX: number, middleY: number): Places {
  return { x: x.map((value) => (value - middleX) * scaleX), y: y.map((value) => (value - middleY) * scaleY) };
}

// So that both directions are used alike, up to twice: a network along a coast is not a line.
function spread(graph: Graph): Places {
  const [west, east] = rangeOf(graph.x);
  const [north, south] = rangeOf(graph.y);
  const side = Math.sqrt(graph.x.length * areaOfNode);
  const [width, height] = [Math.max(east - west, (south - north) / 2, 1e-9), Math.max(south - north, (east - west) / 2, 1e-9)];
  return scaled(graph, side / width, side / height, (west + east) / 2, (north + south) / 2);
}

function rangeOf(values: Float64Array): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? [least, most] : [0, 0];
}

// In rounds: those beside a node that has a place, then those beside these.
function placeNeighbours({ a, b }: Graph, { x, y }: Places): void {
  let waiting = Array.from(a.keys()).filter((link) => Number.isNaN(x[a[link]!]) !== Number.isNaN(x[b[link]!]) || Number.isNaN(x[a[link]!]));
  for (let grown = true; grown && waiting.length > 0;) {
    grown = false;
    const found = new Map<number, [x: number, y: number, count: number]>();
    const add = (node: number, from: number) => {
      const [sumX, sumY, count] = found.get(node) ?? [0, 0, 0];
      found.set(node, [sumX + x[from]!, sumY + y[from]!, count + 1]);
    };
    for (const link of waiting) {
      const [one, other] = [a[link]!, b[link]!];
      if (Number.isNaN(x[one]) && !Number.isNaN(x[other])) add(one, other);
      else if (Number.isNaN(x[other]) && !Number.isNaN(x[one])) add(other, one);
    }
    for (const [node, [sumX, sumY, count]] of found) {
      [x[node], y[node]] = [sumX / count + Math.cos(node * turn), sumY / count + Math.sin(node * turn)];
      grown = true;
    }
    waiting = waiting.filter((link) => Number.isNaN(x[a[link]!]) || Number.isNaN(x[b[link]!]));
  }
}

// Those that nothing links to a place: around the middle, evenly.
function placeRest({ x, y }: Places): void {
  let count = 0;
  for (let node = 0; node < x.length; node++) {
    if (!Number.isNaN(x[node])) continue;
    const radius = Math.sqrt((areaOfNode * (count + 0.5)) / Math.PI);
    [x[node], y[node]] = [radius * Math.cos(count * turn), radius * Math.sin(count * turn)];
    count += 1;
  }
}
