// Independent routes over the map, each in a colour, with dashes and a number of its own: readers who do
// not see colours distinguish them, too.
import { kilometresBetween } from './great_circle.ts';
import type { Network } from './network.ts';
import { colours } from './palette.ts';
import { background, layered, type Style, type Styled } from './styles.ts';

export type Route = number[]; // record numbers of links, from one end to the other

const dashings = [undefined, [11, 5], [3, 4], [12, 4, 3, 4]];
const coloursApart = 8; // of the palette; all readers tell these from each other
const routeWidth = 4;

// The same colour comes back with other dashes.
export function routeStyle(place: number, dark: boolean): Style {
  const colour = colours[place % coloursApart]!;
  const dashes = dashings[(place + Math.floor(place / coloursApart)) % dashings.length];
  return { colour: dark ? colour.dark : colour.light, width: routeWidth, badge: String(place + 1), ...(dashes ? { dashes } : {}) };
}

export const commonStyle = (dark: boolean): Style => ({ colour: dark ? '#ffffff' : '#11161d', width: routeWidth + 1.5 });

// `chosen`: the places of the routes that are shown; none: all. What several of them use has a style of
// its own.
export function styledByRoutes(network: Network, routes: Route[], chosen: ReadonlySet<number>, dark: boolean): Styled {
  const shown = routes.map((links, place) => (chosen.size === 0 || chosen.has(place) ? links : []));
  const nodes = shown.map((links) => nodesOf(network, links));
  return layered(network, background(dark), [
    ...shown.map((links, place) => ({ style: routeStyle(place, dark), nodes: nodes[place]!, links })),
    { style: commonStyle(dark), nodes: commonOf(nodes), links: commonOf(shown) },
  ]);
}

// The numbers that are in more than one of the lists.
export function commonOf(lists: number[][]): number[] {
  const seen = new Set<number>();
  const common = new Set<number>();
  for (const one of lists.flatMap((list) => [...new Set(list)])) (seen.has(one) ? common : seen).add(one);
  return [...common];
}

function nodesOf({ a, b, linkAt, columns }: Network, links: Route): number[] {
  const ends = links.flatMap((link) => {
    const place = linkAt(link);
    return place === undefined ? [] : [columns.nodes.number[a[place]!]!, columns.nodes.number[b[place]!]!];
  });
  return [...new Set(ends)];
}

export interface RouteLength {
  links: number;
  kilometres: number | null; // null: not known of each of them
  missing: number; // links that are not on the map
}

// Along great circles.
export function lengthOf({ a, b, linkAt, columns: { nodes } }: Network, links: Route): RouteLength {
  const placeOf = (node: number) => ({ latitude: nodes.latitude[node]!, longitude: nodes.longitude[node]! });
  const places = links.map(linkAt);
  const lengths = places.map((link) => (link === undefined ? null : kilometresBetween(placeOf(a[link]!), placeOf(b[link]!))));
  return {
    links: links.length, missing: places.filter((link) => link === undefined).length,
    kilometres: lengths.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0),
  };
}
