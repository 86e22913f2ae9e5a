// What the map says of routes and of its schematic view, in French.
import type { MapMessages } from '../index.ts';

export const map: MapMessages = {
  'Show the routes on the map': 'Montrer les chemins sur la carte',
  'Those that meet it, too': 'Aussi ceux qui la respectent',
  'Route {place}': 'Chemin {place}',
  'In common': 'En commun',
  'Hide the routes': 'Masquer les chemins',
  'Schematic view': 'Vue schématique',
  'Arranging the nodes …': 'Disposition des nœuds …',
  'Nodes can be dragged to another place.': 'Les nœuds peuvent être glissés à un autre endroit.',
  'Place in the schematic view': 'Place dans la vue schématique',
  'Move left': 'Déplacer à gauche',
  'Move right': 'Déplacer à droite',
  'Move up': 'Déplacer vers le haut',
  'Move down': 'Déplacer vers le bas',
  'Put them back': 'Les remettre en place',
  '{n} links, {km} km': { one: '{n} lien, {km} km', other: '{n} liens, {km} km' },
  '{n} links of these routes are not on the map.': { one: '{n} lien de ces chemins n’est pas sur la carte.', other: '{n} liens de ces chemins ne sont pas sur la carte.' },
  '{n} moved nodes are kept in this browser.': { one: '{n} nœud déplacé est conservé dans ce navigateur.', other: '{n} nœuds déplacés sont conservés dans ce navigateur.' },
};
