// What the map says of routes and of its schematic view, in English.
export const mapTexts = [
  'Show the routes on the map',
  'Those that meet it, too',
  'Route {place}',
  'In common',
  'Hide the routes',
  'Schematic view',
  'Arranging the nodes …',
  'Nodes can be dragged to another place.',
  'Place in the schematic view',
  'Move left',
  'Move right',
  'Move up',
  'Move down',
  'Put them back',
] as const;
export const mapPlurals = {
  '{n} links, {km} km': { one: '{n} link, {km} km', other: '{n} links, {km} km' },
  '{n} links of these routes are not on the map.': { one: '{n} link of these routes is not on the map.', other: '{n} links of these routes are not on the map.' },
  '{n} moved nodes are kept in this browser.': { one: '{n} moved node is kept in this browser.', other: '{n} moved nodes are kept in this browser.' },
} as const;
