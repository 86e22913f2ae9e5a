// What pages say of fixes of what is wrong with the map, in English.
export const fixTexts = [
  'Fix',
  'Fix all that can be',
  'Move to {latitude}, {longitude}',
  'Merge it into {name}',
  'Merge the others into this one',
  'Give it to {name}, which owns both its ends',
  'Give it to {name}, which owns its topology',
  'Give it to {name}, which owns all else of its topology',
  'Remove properties without a value',
  'Leave one of each property',
  'Decode the garbled text',
  'Left as they are: {n}. The map does not say what was meant.',
] as const;
export const fixPlurals = {
  '{n} findings mended': { one: '{n} finding mended', other: '{n} findings mended' },
} as const;
