// What planned changes and their map say, in Portuguese.
import type { ChangeMessages } from '../index.ts';

export const changes: ChangeMessages = {
  'In no topology': 'Em nenhuma topologia',
  'On the map': 'No mapa',
  'Comes': 'Chega',
  'Goes': 'Sai',
  'Changes or moves': 'Muda ou se move',
  'Nothing of this is on the map.': 'Nada disto está no mapa.',
  'Save as SVG': 'Guardar como SVG',
  'Show what changes': 'Mostrar o que muda',
  'Map of what would change. Arrow keys move it, plus and minus zoom. The list has the same content.': 'Mapa do que mudaria. As setas movem-no, mais e menos aproximam e afastam. A lista tem o mesmo conteúdo.',
  '{n} of them have no place.': { one: '{n} deles não tem localização.', other: '{n} deles não têm localização.' },
  '{n} more are not drawn.': { one: 'Mais {n} não é desenhado.', other: 'Mais {n} não são desenhados.' },
};
