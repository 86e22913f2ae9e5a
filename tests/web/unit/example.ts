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
  },
  institutions: {
    number: [30], id: ['i'], name: ['Inst'], short_name: ['I'], latitude: [1], longitude: [2], tags: [[0]], url: [''],
  },
  topologies: { number: [1, 2, 3], name: ['Root', 'Sub', 'Other'], parent: [-1, 0, -1] },
  tags: ['NREN', 'SREN'],
});
