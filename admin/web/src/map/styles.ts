// How elements look: a palette, and for each element its place in it. Later entries are drawn
// above earlier ones, and win where several elements become one cluster.
import type { MapDifference } from '../../generated/api.ts';
import type { Network } from './network.ts';

export interface Style {
  colour: string;
  width: number; // of a link; a node's radius is width + 3
  dashes?: number[];
  faint?: boolean;
}

export type ColourLabels = Record<string, string>;
export const nodeColours: ColourLabels = { PREN: '#1e8f9c', NREN: '#2a2d7c', SREN: '#744496' };
export const linkColours: ColourLabels = { ...nodeColours, International: '#239e58' };
export const plainColour = '#6e7681';

export interface Styled {
  palette: Style[];
  nodes: Uint8Array;
  links: Uint8Array;
}

// On a dark map the shipped colours would vanish.
const darkTwins: Record<string, string> = {
  '#1e8f9c': '#45c4d3', '#2a2d7c': '#8f94f5', '#744496': '#c492ea', '#239e58': '#4fd08a', [plainColour]: '#9aa5b1',
};
const shade = (colour: string, dark: boolean) => (dark ? (darkTwins[colour] ?? colour) : colour);

export interface Colours {
  nodes: ColourLabels;
  links: ColourLabels;
  plainNode: string; // of what has no such tag
  plainLink: string;
}
export const shippedColours: Colours = {
  nodes: nodeColours, links: linkColours, plainNode: plainColour, plainLink: plainColour,
};

export function styledByTag(network: Network, colours: Colours, dark: boolean): Styled {
  const { tags } = network.columns;
  const palette: Style[] = [];
  const places = new Map<string, number>(); // of a colour
  const placeOf = (colour: string): number => {
    if (!places.has(colour)) places.set(colour, palette.push({ colour: shade(colour, dark), width: 2 }) - 1);
    return places.get(colour)!;
  };
  const stylesOf = (elements: number[][], labels: ColourLabels, plain: string) => {
    const order = new Map(Object.entries(labels).map(([name, colour], place) => [name.toLowerCase(), { colour, place }]));
    const plainStyle = { place: placeOf(plain), order: -1 };
    const styles = tags.map((tag) => { // files write NREN and nren
      const found = order.get(tag.toLowerCase());
      return found ? { place: placeOf(found.colour), order: found.place } : plainStyle;
    });
    return Uint8Array.from(elements, (own) => {
      let best = plainStyle;
      for (const tag of own) if (styles[tag]!.order > best.order) best = styles[tag]!;
      return best.place;
    });
  };
  const { nodes, links } = network.columns;
  const linkStyles = stylesOf(links.tags, colours.links, colours.plainLink);
  return { palette, nodes: stylesOf(nodes.tags, colours.nodes, colours.plainNode), links: linkStyles };
}

export const changeColours = (dark: boolean) => ({
  added: dark ? '#4fd08a' : '#157a45',
  changed: dark ? '#f0b94d' : '#a86400',
  removed: dark ? '#ff7d76' : '#c0261f',
});

export function styledByChange(network: Network, { nodes, links }: Pick<MapDifference, 'nodes' | 'links'>, dark: boolean): Styled {
  const colours = changeColours(dark);
  return layered(network, { colour: shade(plainColour, dark), width: 1.5, faint: true }, [
    { style: { colour: colours.changed, width: 3 }, nodes: nodes.changed, links: links.changed },
    { style: { colour: colours.added, width: 3.5 }, nodes: nodes.added, links: links.added },
    { style: { colour: colours.removed, width: 3, dashes: [6, 5] }, nodes: nodes.removed, links: links.removed },
  ]);
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
  return layered(network, { colour: shade(plainColour, dark), width: 2 }, [
    { style: { colour: colours.single, width: 3.5 }, ...single },
    { style: { colour: colours.cutOff, width: 3.5 }, nodes: cutOff, links: linksOf(network, cutOff, (a, b) => a && b) },
    { style: { colour: colours.failed, width: 2.5, dashes: [3, 5] }, nodes: failed.nodes, links: [...failed.links, ...down] },
  ]);
}

// Those that `wanted` takes, given which of their ends are among the nodes.
function linksOf({ a, b, nodeAt, columns }: Network, nodes: number[], wanted: (a: boolean, b: boolean) => boolean): number[] {
  const places = new Set(nodes.map((number) => nodeAt.get(number)));
  return columns.links.number.filter((_, link) => wanted(places.has(a[link]), places.has(b[link])));
}

interface Layer {
  style: Style;
  nodes: number[];
  links: number[];
}

// What no layer names is plain; later layers win.
function layered(network: Network, plain: Style, layers: Layer[]): Styled {
  const marked = (count: number, places: Map<number, number>, kind: 'nodes' | 'links') => {
    const styles = new Uint8Array(count);
    layers.forEach((layer, index) => {
      for (const number of layer[kind]) {
        const place = places.get(number);
        if (place !== undefined) styles[place] = index + 1;
      }
    });
    return styles;
  };
  return {
    palette: [plain, ...layers.map(({ style }) => style)],
    nodes: marked(network.x.length, network.nodeAt, 'nodes'),
    links: marked(network.a.length, network.linkAt, 'links'),
  };
}
