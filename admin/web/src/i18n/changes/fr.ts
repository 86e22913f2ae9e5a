// What planned changes and their map say, in French.
import type { ChangeMessages } from '../index.ts';

export const changes: ChangeMessages = {
  'In no topology': 'Dans aucune topologie',
  'On the map': 'Sur la carte',
  'Comes': 'Arrive',
  'Goes': 'Disparaît',
  'Changes or moves': 'Change ou se déplace',
  'Nothing of this is on the map.': 'Rien de cela n’est sur la carte.',
  'Save as SVG': 'Enregistrer en SVG',
  'Show what changes': 'Montrer ce qui change',
  'Map of what would change. Arrow keys move it, plus and minus zoom. The list has the same content.': 'Carte de ce qui changerait. Les flèches la déplacent, plus et moins zooment. La liste a le même contenu.',
  '{n} of them have no place.': { one: '{n} d’entre eux n’a pas d’emplacement.', other: '{n} d’entre eux n’ont pas d’emplacement.' },
  '{n} more are not drawn.': { one: '{n} de plus n’est pas dessiné.', other: '{n} de plus ne sont pas dessinés.' },
};
