// What the map says of routes and of its schematic view, in Spanish.
import type { MapMessages } from '../index.ts';

export const map: MapMessages = {
  'Show the routes on the map': 'Mostrar las rutas en el mapa',
  'Those that meet it, too': 'También los que la cumplen',
  'Route {place}': 'Ruta {place}',
  'In common': 'En común',
  'Hide the routes': 'Ocultar las rutas',
  'Schematic view': 'Vista esquemática',
  'Arranging the nodes …': 'Disponiendo los nodos …',
  'Nodes can be dragged to another place.': 'Los nodos se pueden arrastrar a otro lugar.',
  'Place in the schematic view': 'Lugar en la vista esquemática',
  'Move left': 'Mover a la izquierda',
  'Move right': 'Mover a la derecha',
  'Move up': 'Mover hacia arriba',
  'Move down': 'Mover hacia abajo',
  'Put them back': 'Devolverlos a su lugar',
  '{n} links, {km} km': { one: '{n} enlace, {km} km', other: '{n} enlaces, {km} km' },
  '{n} links of these routes are not on the map.': { one: '{n} enlace de estas rutas no está en el mapa.', other: '{n} enlaces de estas rutas no están en el mapa.' },
  '{n} moved nodes are kept in this browser.': { one: '{n} nodo movido se guarda en este navegador.', other: '{n} nodos movidos se guardan en este navegador.' },
};
