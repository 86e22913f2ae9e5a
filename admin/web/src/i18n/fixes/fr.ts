// What pages say of fixes of what is wrong with the map, in French.
import type { FixMessages } from '../index.ts';

export const fixes: FixMessages = {
  'Fix': 'Corriger',
  'Fix all that can be': 'Corriger tout ce qui peut l’être',
  'Move to {latitude}, {longitude}': 'Déplacer vers {latitude}, {longitude}',
  'Merge it into {name}': 'Le fusionner avec {name}',
  'Merge the others into this one': 'Fusionner les autres avec celui-ci',
  'Give it to {name}, which owns both its ends': 'L’attribuer à {name}, propriétaire de ses deux extrémités',
  'Give it to {name}, which owns its topology': 'L’attribuer à {name}, propriétaire de sa topologie',
  'Give it to {name}, which owns all else of its topology': 'L’attribuer à {name}, propriétaire de tout le reste de sa topologie',
  'Remove properties without a value': 'Supprimer les propriétés sans valeur',
  'Leave one of each property': 'N’en laisser qu’une de chaque propriété',
  'Decode the garbled text': 'Décoder le texte altéré',
  'Left as they are: {n}. The map does not say what was meant.': 'Laissés tels quels : {n}. La carte ne dit pas ce qui était voulu.',
  '{n} findings mended': { one: '{n} constat corrigé', other: '{n} constats corrigés' },
};
