// Where nodes stand in the schematic view: linked ones near each other, the others apart, by forces
// (d3-force). It begins with the places that nodes have, on the globe or in the view before, so that
// north stays above and a map that changes a little moves a little. The same graph has the same layout.
//
// Time: about n log n for each step, of which there are fewer the more nodes there are.
import {
  forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationLinkDatum, type SimulationNodeDatum,
} from 'd3-force';
import { startOf } from './start.ts';

export interface Graph {
  x: Float64Array; // of each node on the square that the world is; NaN: it has no place
  y: Float64Array;
  a: Int32Array; // the ends of each link
  b: Int32Array;
  isArranged: boolean; // the places are those of a layout: only what is new has to find its own
}

export interface Places {
  x: Float64Array;
  y: Float64Array;
}

const apart = 30; // length of a link, in the units of the simulation
export const linkLength = 0.0036; // the same on the square; 60 pixels at zoom level 6
const squareMost = 0.7; // of the square, for the largest graphs
const [stepsLeast, stepsMost, nodesTimesSteps] = [25, 300, 1_000_000];
const calm = 0.3; // of the strength of the forces, where most nodes stand already

export const stepsFor = (nodes: number): number => Math.max(stepsLeast, Math.min(stepsMost, Math.round(nodesTimesSteps / nodes)));

// Answers the places after each step, as one object that goes on changing.
export function* arrange(graph: Graph): Generator<Places, void> {
  const count = graph.x.length;
  const start = startOf(graph, apart / linkLength);
  const nodes: SimulationNodeDatum[] = Array.from(start.x, (x, i) => ({ x, y: start.y[i]! }));
  const links: SimulationLinkDatum<SimulationNodeDatum>[] = Array.from(graph.a, (a, i) => ({ source: a, target: graph.b[i]! }))
    .filter(({ source, target }) => source !== target);
  const steps = stepsFor(count);
  const simulation = forceSimulation(nodes)
    .force('links', forceLink(links).distance(apart))
    .force('apart', forceManyBody().strength(-apart * 2.5).theta(1).distanceMax(apart * 20))
    .force('x', forceX(0).strength(0.03))
    .force('y', forceY(0).strength(0.03))
    .alpha(graph.isArranged ? calm : 1)
    .alphaDecay(1 - 0.001 ** (1 / steps))
    .stop();
  const places: Places = { x: new Float64Array(count), y: new Float64Array(count) };
  for (let step = 0; step < steps; step++) {
    simulation.tick();
    toSquare(nodes, places);
    yield places;
  }
}

// Around the middle of the square, at one scale while there is room.
function toSquare(nodes: SimulationNodeDatum[], { x, y }: Places): void {
  let widest = 0;
  for (const node of nodes) widest = Math.max(widest, Math.abs(node.x!), Math.abs(node.y!));
  const scale = Math.min(linkLength / apart, squareMost / (2 * widest || 1));
  nodes.forEach((node, i) => {
    x[i] = 0.5 + node.x! * scale;
    y[i] = 0.5 + node.y! * scale;
  });
}
