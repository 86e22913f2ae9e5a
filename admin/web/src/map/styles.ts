// How elements look: a palette, and for each element its place in it. Later entries are drawn
// above earlier ones.
import { capacityClassesOf } from './capacity.ts';
import type { ChangeKind, MapChanges } from './changes.ts';
import type { Grouping } from './grouping.ts';
import type { Network } from './network.ts';
import { plain } from './palette.ts';

export interface Style {
  colour: string;
  width: number; // of a link
  dashes?: number[];
  faint?: boolean;
  mark?: Mark; // on a node
  badge?: string; // written on links, in a small circle
}

// Says what happens to a node to those who do not see it by its colour.
export type Mark = 'plus' | 'minus' | 'slash';
// Strokes on a circle of radius 1: from and to, x and y.
export const strokesOf: Record<Mark, [number, number, number, number][]> = {
  plus: [[-0.6, 0, 0.6, 0], [0, -0.6, 0, 0.6]],
  minus: [[-0.6, 0, 0.6, 0]],
  slash: [[-0.45, 0.45, 0.45, -0.45]],
};

export type ColourLabels = Record<string, string>;
export const nodeColours: ColourLabels = { PREN: '#1a8590', NREN: '#2a2d7c', SREN: '#744496' };
export const linkColours: ColourLabels = { ...nodeColours, International: '#1d8a4c' };

export interface Styled {
  palette: Style[];
  nodes: Uint8Array;
  links: Uint8Array;
  capacity: Uint8Array; // the class of each link (capacity.ts)
  dashed: Uint8Array; // 1: a link that is planned or has ended
  byCapacity: boolean; // links are as wide as their classes; else as their styles, of which later ones win
}

export interface Colours {
  nodes: ColourLabels;
  links: ColourLabels;
  plainNode: string; // of what has no such tag
  plainLink: string;
}
export const shippedColours: Colours = {
  nodes: nodeColours, links: linkColours, plainNode: plain.light, plainLink: plain.light,
};

const shade = (dark: boolean) => (dark ? plain.dark : plain.light);

// Of what is not meant where colours tell something about a few elements.
export const background = (dark: boolean): Style => ({ colour: shade(dark), width: 1.5, faint: true });

// `dashed`: of each link whether it is planned or has ended.
export function styledByGroup({ columns }: Network, { groups, nodes, links }: Grouping, dashed: Uint8Array, dark: boolean): Styled {
  const palette: Style[] = [];
  const places = new Map<string, number>(); // of a colour
  const styles = groups.map(({ colour }) => {
    const own = dark ? colour.dark : colour.light;
    if (!places.has(own)) places.set(own, palette.push({ colour: own, width: 2 }) - 1);
    return places.get(own)!;
  });
  const own = (elements: Uint16Array) => {
    const places = new Uint8Array(elements.length);
    for (let i = 0; i < elements.length; i++) places[i] = styles[elements[i]!]!;
    return places;
  };
  return {
    palette, nodes: own(nodes), links: own(links),
    capacity: capacityClassesOf(columns.links.capacity), dashed, byCapacity: true,
  };
}

export const changeColours = (dark: boolean) => ({
  added: dark ? '#4fd08a' : '#157a45',
  changed: dark ? '#f0b94d' : '#a86400',
  removed: dark ? '#ff7d76' : '#c0261f',
});

export const changeStyles = (dark: boolean): Record<ChangeKind, Style> => {
  const colours = changeColours(dark);
  return {
    added: { colour: colours.added, width: 3.5, mark: 'plus' },
    removed: { colour: colours.removed, width: 3, dashes: [6, 5], mark: 'minus' },
    changed: { colour: colours.changed, width: 3, dashes: [2, 3], mark: 'slash' },
  };
};

export function styledByChange(network: Network, { nodes, links }: Pick<MapChanges, 'nodes' | 'links'>, dark: boolean): Styled {
  const styles = changeStyles(dark);
  const layer = (kind: ChangeKind): Layer => ({ style: styles[kind], nodes: nodes[kind], links: links[kind] });
  return layered(network, background(dark), [layer('changed'), layer('added'), layer('removed')]);
}

export interface Outcome {
  failed: { nodes: number[]; links: number[] };
  cutOff: number[];
  single: { nodes: number[]; links: number[] };
}

export const failureColours = (dark: boolean) => ({
  single: dark ? '#f0b94d' : '#a86400',
  cutOff: dark ? '#ff7d76' : '#c0261f',
  failed: dark ? '#ffffff' : '#11161d',
});

// A link is of no use where a node at its end has failed, and of little between two that are cut off.
export function styledByFailure(network: Network, { failed, cutOff, single }: Outcome, dark: boolean): Styled {
  const colours = failureColours(dark);
  const down = linksOf(network, failed.nodes, (a, b) => a || b);
  return layered(network, { colour: shade(dark), width: 2 }, [
    { style: { colour: colours.single, width: 3.5 }, ...single },
    { style: { colour: colours.cutOff, width: 3.5 }, nodes: cutOff, links: linksOf(network, cutOff, (a, b) => a && b) },
    { style: { colour: colours.failed, width: 2.5, dashes: [3, 5] }, nodes: failed.nodes, links: [...failed.links, ...down] },
  ]);
}

// Those that `wanted` takes, given which of their ends are among the nodes.
function linksOf({ a, b, nodeAt, columns }: Network, nodes: number[], wanted: (a: boolean, b: boolean) => boolean): number[] {
  const places = new Set(nodes.map((number) => nodeAt(number)));
  return places.size === 0 ? [] : Array.from(columns.links.number).filter((_, link) => wanted(places.has(a[link]), places.has(b[link])));
}

interface Layer {
  style: Style;
  nodes: number[];
  links: number[];
}

// What no layer names is plain; later layers win.
export function layered(network: Network, lowest: Style, layers: Layer[]): Styled {
  const marked = (count: number, placeOf: Network['nodeAt'], kind: 'nodes' | 'links') => {
    const styles = new Uint8Array(count);
    layers.forEach((layer, index) => {
      for (const number of layer[kind]) {
        const place = placeOf(number);
        if (place !== undefined) styles[place] = index + 1;
      }
    });
    return styles;
  };
  return {
    palette: [lowest, ...layers.map(({ style }) => style)],
    nodes: marked(network.x.length, network.nodeAt, 'nodes'),
    links: marked(network.a.length, network.linkAt, 'links'),
    capacity: new Uint8Array(network.a.length), dashed: new Uint8Array(network.a.length), byCapacity: false,
  };
}
