// What pages say of planned changes and their map, in English.
export const changeTexts = [
  'In no topology', 'On the map', 'Comes', 'Goes', 'Changes or moves', 'Nothing of this is on the map.', 'Save as SVG', 'Show what changes',
  'Map of what would change. Arrow keys move it, plus and minus zoom. The list has the same content.',
] as const;
export const changePlurals = {
  '{n} of them have no place.': { one: '{n} of them has no place.', other: '{n} of them have no place.' },
  '{n} more are not drawn.': { one: '{n} more is not drawn.', other: '{n} more are not drawn.' },
} as const;
