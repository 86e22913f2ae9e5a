// A small map for the unit tests: four nodes, one of them without a place.
import type { MapColumns } from '../../../admin/web/generated/api.ts';

export const columns = (): MapColumns => ({
  lsn: 3, time: '2024-01-01T00:00:00Z',
  nodes: {
    number: [10, 11, 12, 13], id: ['a', 'b', 'c', 'd'], name: ['Ada', 'Bea', 'Cid', 'Dan'],
    latitude: [0, 10, 20, null], longitude: [0, 10, 20, null], tags: [[0], [1], [], [0]],
    topologies: [[0], [1], [2], [0]], owners: [[0], [], [0], []],
  },
  links: {
    number: [20, 21, 22], id: ['x', 'y', 'z'], name: ['Ada – Bea', 'Bea – Ada', 'Ada – Dan'],
    a: [0, 1, 0], b: [1, 0, 3], tags: [[0], [], []], topologies: [[0], [0], [0]], owners: [[], [], []],
    capacity: [1e10, null, 1e8],
  },
  institutions: {
    number: [30], id: ['i'], name: ['Inst'], short_name: ['I'], latitude: [1], longitude: [2], tags: [[0]], url: [''],
  },
  topologies: { number: [1, 2, 3], name: ['Root', 'Sub', 'Other'], parent: [-1, 0, -1] },
  lifetimes: { link: [1], start: ['2030-01-01T00:00:00Z'], end: [null] },
  tags: ['NREN', 'SREN'],
});

// Nodes and links at random places, mostly in a few regions; the same each time.
export function scattered(count: number): MapColumns {
  const random = randomOf(7);
  const map = columns();
  const all = Array.from({ length: count }, (_, i) => i);
  const region = all.map((i) => [(i % 5) * 30 - 60, (i % 5) * 60 - 120] as const);
  map.nodes = {
    number: all.map((i) => i + 100), id: all.map(String), name: all.map((i) => `Node ${i}`),
    latitude: all.map((i) => region[i]![0] + random() * 9), longitude: all.map((i) => region[i]![1] + random() * 15),
    tags: all.map((i) => [i % 2]), topologies: all.map((i) => [i % 3]), owners: all.map(() => []),
  };
  map.links = {
    number: all.map((i) => i + 100_000), id: all.map(String), name: all.map((i) => `Link ${i}`), a: all, b: all.map(() => Math.floor(random() * count)),
    tags: all.map(() => []), topologies: all.map((i) => [i % 3]), owners: all.map(() => []), capacity: all.map(() => null),
  };
  return map;
}

export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}
