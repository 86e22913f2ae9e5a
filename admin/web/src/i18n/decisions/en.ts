// What pages say of values that somebody has decided against a source, in English.
export const decisionTexts = [
  'As a table', 'Override', 'Overrides', 'Keep whatever sources deliver',
  'Every value changed here is set again after each import of this element, until the source delivers the same.',
  'Left empty: it has no end.',
  'It stays deleted when a source delivers it again.',
  'Kept', 'The source has', 'To be decided', 'Counts', 'Until', 'By', 'deleted', 'on the map', 'no value',
  'Keep ours', 'Take the source’s value', 'Take it?',
  'The override ends, and the element has what the source delivered last.',
  '{name}: ours is kept.', '{name}: the source’s value counts again.',
  'Values that are kept', '{field}: {value} is kept', 'the source has {value}',
  'Values that were corrected here and are set again after each import. One is to be decided where its source delivers something else since.',
  'Take the sources’ values',
] as const;
