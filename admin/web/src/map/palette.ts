// The colours that tell networks apart: pairs of a colour for the light map and its twin for the dark
// one. They begin near those of Okabe and Ito, darker or lighter so that each stands out from land and
// sea by 3:1 at least, and differ in lightness where readers who see less colour would confuse them.
// tests/web/unit/palette.test.ts computes both.

export interface Colour {
  light: string;
  dark: string;
}

export const colours: Colour[] = [
  { light: '#0060a8', dark: '#67b0f9' }, // blue
  { light: '#b0400c', dark: '#ff9660' }, // vermilion
  { light: '#1a4a14', dark: '#58a83a' }, // green
  { light: '#7b2390', dark: '#b57be0' }, // purple
  { light: '#006a6e', dark: '#3fe0d2' }, // teal
  { light: '#947812', dark: '#f0d264' }, // gold
  { light: '#8c0f3c', dark: '#fa7ba7' }, // crimson
  { light: '#14128a', dark: '#6f76f2' }, // indigo
  { light: '#6b3a16', dark: '#b98055' }, // brown
  { light: '#5c8352', dark: '#cfe8c6' }, // sage
  { light: '#b4559c', dark: '#fcc0e8' }, // mauve
  { light: '#2a83b0', dark: '#a8dfff' }, // sky
];

// Of what belongs to nothing that has a colour.
export const plain: Colour = { light: '#6e7681', dark: '#9aa5b1' };

// One colour for each box (west, north, east, south; NaN: it has no place), the least used first while
// there are any: of more boxes than colours those far apart share one. Earlier boxes choose first.
export function coloursFor(boxes: Float64Array[], count = colours.length): number[] {
  const users: Float64Array[][] = Array.from({ length: count }, () => []);
  return boxes.map((box) => {
    let best = 0;
    let farthest = -1;
    for (let colour = 0; colour < count; colour++) {
      const nearest = Math.min(Infinity, ...users[colour]!.map((other) => gap(box, other)));
      if (nearest > farthest) [best, farthest] = [colour, nearest];
    }
    users[best]!.push(box);
    return best;
  });
}

// Zero and a little more for boxes that touch: then their middles decide.
function gap(a: Float64Array, b: Float64Array): number {
  const between = (low: number, high: number) => Math.max(0, a[low]! - b[high]!, b[low]! - a[high]!);
  const middle = (low: number, high: number) => (a[low]! + a[high]! - b[low]! - b[high]!) / 2;
  const distance = Math.hypot(between(0, 2), between(1, 3)) + 0.05 * Math.hypot(middle(0, 2), middle(1, 3));
  return Number.isNaN(distance) ? 1 : distance;
}

// The ratio of WCAG 2, of colours like #1b1c97.
export function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = linear(colour) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export const linear = (colour: string): number[] => [1, 3, 5].map((at) => {
  const value = parseInt(colour.slice(at, at + 2), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});
