// The base map: coast lines, borders and names of countries, drawn from data that are part of the
// program, so that no request leaves the node.
import type { BoxGrid } from './labels.ts';
import { projectX, projectY } from './network.ts';
import type { Painter } from './painter.ts';
import type { View } from './drawing.ts';
import type { Work } from './work.ts';

export interface WorldFile {
  land: number[][];
  borders: number[][];
  labels: [name: string, longitude: number, latitude: number, area: number][];
}

interface Shape {
  points: Float64Array; // x and y by turns, on the square that the world is
  west: number;
  east: number;
  north: number;
  south: number;
}

export interface World {
  land: Shape[];
  borders: Shape[];
  labels: { name: string; x: number; y: number; area: number }[];
}

export interface WorldLook {
  land: string;
  border: string;
  label: string;
}

export function worldOf(file: WorldFile): World {
  return {
    land: file.land.map(shapeOf),
    borders: file.borders.map(shapeOf),
    labels: file.labels
      .map(([name, longitude, latitude, area]) => ({ name, x: projectX(longitude), y: projectY(latitude), area }))
      .sort((a, b) => b.area - a.area),
  };
}

function shapeOf(line: number[]): Shape {
  const shape: Shape = { points: new Float64Array(line.length), west: 2, east: -1, north: 2, south: -1 };
  for (let i = 0; i < line.length; i += 2) {
    const x = projectX(line[i]!);
    const y = projectY(line[i + 1]!);
    shape.points[i] = x;
    shape.points[i + 1] = y;
    shape.west = Math.min(shape.west, x);
    shape.east = Math.max(shape.east, x);
    shape.north = Math.min(shape.north, y);
    shape.south = Math.max(shape.south, y);
  }
  return shape;
}

export function* paintWorld(context: Painter, view: View, world: World, look: WorldLook): Work<number> {
  let points = 0;
  context.beginPath();
  for (const shape of world.land) if (isInView(shape, view)) trace(context, view, shape, true);
  context.fillStyle = look.land;
  context.fill();
  yield;
  context.beginPath();
  for (const shape of [...world.land, ...world.borders]) {
    if (!isInView(shape, view)) continue;
    trace(context, view, shape, false);
    points += shape.points.length / 2;
  }
  context.strokeStyle = look.border;
  context.lineWidth = 0.8;
  context.stroke();
  return points / 10; // a point costs less than an element of the network
}

function isInView(shape: Shape, view: View): boolean {
  return shape.east * view.scale >= view.left && shape.west * view.scale <= view.left + view.width
    && shape.south * view.scale >= view.top && shape.north * view.scale <= view.top + view.height;
}

function trace(context: Painter, view: View, { points }: Shape, close: boolean): void {
  let lastX = NaN;
  let lastY = NaN;
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i]! * view.scale - view.left;
    const y = points[i + 1]! * view.scale - view.top;
    const isLast = i === points.length - 2;
    if (!isLast && Math.abs(x - lastX) < 0.7 && Math.abs(y - lastY) < 0.7) continue; // not to be seen
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
    lastX = x;
    lastY = y;
  }
  if (close) context.closePath();
}

// Names of countries, the large ones first, where `taken` has nothing else.
export function paintNames(context: Painter, view: View, world: World, look: WorldLook, taken: BoxGrid): void {
  if (view.zoom < 3) return;
  const least = 90 / 4 ** (view.zoom - 2); // small countries when zoomed in
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = look.label;
  for (const { name, x, y, area } of world.labels) {
    if (area < least) break;
    const px = x * view.scale - view.left;
    const py = y * view.scale - view.top;
    if (px < 0 || py < 0 || px > view.width || py > view.height) continue;
    const text = name.toUpperCase();
    const half = context.measureText(text).width / 2 + 3;
    const box = { left: px - half, top: py - 8, right: px + half, bottom: py + 8 };
    if (taken.touches(box)) continue;
    taken.add(box);
    context.fillText(text, px, py);
  }
}
