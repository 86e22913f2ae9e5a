// What planned changes and their map say, in Spanish.
import type { ChangeMessages } from '../index.ts';

export const changes: ChangeMessages = {
  'In no topology': 'En ninguna topología',
  'On the map': 'En el mapa',
  'Comes': 'Llega',
  'Goes': 'Se va',
  'Changes or moves': 'Cambia o se mueve',
  'Nothing of this is on the map.': 'Nada de esto está en el mapa.',
  'Save as SVG': 'Guardar como SVG',
  'Show what changes': 'Mostrar lo que cambia',
  'Map of what would change. Arrow keys move it, plus and minus zoom. The list has the same content.': 'Mapa de lo que cambiaría. Las flechas lo mueven, más y menos acercan y alejan. La lista tiene el mismo contenido.',
  '{n} of them have no place.': { one: '{n} de ellos no tiene ubicación.', other: '{n} de ellos no tienen ubicación.' },
  '{n} more are not drawn.': { one: '{n} más no se dibuja.', other: '{n} más no se dibujan.' },
};
