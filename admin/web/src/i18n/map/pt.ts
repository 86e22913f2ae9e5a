// What the map says of routes and of its schematic view, in Portuguese.
import type { MapMessages } from '../index.ts';

export const map: MapMessages = {
  'Show the routes on the map': 'Mostrar as rotas no mapa',
  'Those that meet it, too': 'Também os que a cumprem',
  'Route {place}': 'Rota {place}',
  'In common': 'Em comum',
  'Hide the routes': 'Ocultar as rotas',
  'Schematic view': 'Vista esquemática',
  'Arranging the nodes …': 'A dispor os nós …',
  'Nodes can be dragged to another place.': 'Os nós podem ser arrastados para outro lugar.',
  'Place in the schematic view': 'Lugar na vista esquemática',
  'Move left': 'Mover para a esquerda',
  'Move right': 'Mover para a direita',
  'Move up': 'Mover para cima',
  'Move down': 'Mover para baixo',
  'Put them back': 'Repor nos seus lugares',
  '{n} links, {km} km': { one: '{n} ligação, {km} km', other: '{n} ligações, {km} km' },
  '{n} links of these routes are not on the map.': { one: '{n} ligação destas rotas não está no mapa.', other: '{n} ligações destas rotas não estão no mapa.' },
  '{n} moved nodes are kept in this browser.': { one: '{n} nó movido fica guardado neste navegador.', other: '{n} nós movidos ficam guardados neste navegador.' },
};
