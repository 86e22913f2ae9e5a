// What pages say of fixes of what is wrong with the map, in Portuguese.
import type { FixMessages } from '../index.ts';

export const fixes: FixMessages = {
  'Fix': 'Corrigir',
  'Fix all that can be': 'Corrigir tudo o que for possível',
  'Move to {latitude}, {longitude}': 'Mover para {latitude}, {longitude}',
  'Merge it into {name}': 'Fundi-lo com {name}',
  'Merge the others into this one': 'Fundir os outros com este',
  'Give it to {name}, which owns both its ends': 'Atribuí-lo a {name}, proprietário de ambas as extremidades',
  'Give it to {name}, which owns its topology': 'Atribuí-lo a {name}, proprietário da sua topologia',
  'Give it to {name}, which owns all else of its topology': 'Atribuí-lo a {name}, proprietário de tudo o resto da sua topologia',
  'Remove properties without a value': 'Remover as propriedades sem valor',
  'Leave one of each property': 'Deixar uma de cada propriedade',
  'Decode the garbled text': 'Descodificar o texto corrompido',
  'Left as they are: {n}. The map does not say what was meant.': 'Ficam como estão: {n}. O mapa não diz o que se pretendia.',
  '{n} findings mended': { one: '{n} constatação corrigida', other: '{n} constatações corrigidas' },
};
