// What pages say of fixes of what is wrong with the map, in Spanish.
import type { FixMessages } from '../index.ts';

export const fixes: FixMessages = {
  'Fix': 'Corregir',
  'Fix all that can be': 'Corregir todo lo posible',
  'Move to {latitude}, {longitude}': 'Mover a {latitude}, {longitude}',
  'Merge it into {name}': 'Fusionarlo con {name}',
  'Merge the others into this one': 'Fusionar los demás con este',
  'Give it to {name}, which owns both its ends': 'Asignarlo a {name}, propietario de ambos extremos',
  'Give it to {name}, which owns its topology': 'Asignarlo a {name}, propietario de su topología',
  'Give it to {name}, which owns all else of its topology': 'Asignarlo a {name}, propietario de todo lo demás de su topología',
  'Remove properties without a value': 'Quitar las propiedades sin valor',
  'Leave one of each property': 'Dejar una de cada propiedad',
  'Decode the garbled text': 'Descodificar el texto dañado',
  'Left as they are: {n}. The map does not say what was meant.': 'Quedan como están: {n}. El mapa no dice qué se quiso decir.',
  '{n} findings mended': { one: '{n} hallazgo corregido', other: '{n} hallazgos corregidos' },
};
