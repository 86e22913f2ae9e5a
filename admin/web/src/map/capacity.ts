// How wide a link is drawn: by its capacity in bits per second.

// The classes that links are drawn in: from so many bits per second on, and how wide in pixels.
export interface CapacityClass {
  from: number;
  text: string; // numbers and units: the same in all languages
  width: number;
}

export const capacityClasses: CapacityClass[] = [
  { from: NaN, text: '', width: 1.1 }, // what says nothing
  { from: 0, text: '< 1 Gbit/s', width: 1.5 },
  { from: 1e9, text: '1 Gbit/s', width: 2.2 },
  { from: 1e10, text: '10 Gbit/s', width: 3.3 },
  { from: 1e11, text: '100 Gbit/s', width: 4.8 },
  { from: 4e11, text: '400 Gbit/s', width: 6.6 },
];

export function capacityClassOf(bits: number): number {
  return Number.isNaN(bits) ? 0 : capacityClasses.findLastIndex(({ from }) => bits >= from);
}

// Of every link.
export function capacityClassesOf(capacities: Float64Array): Uint8Array {
  const classes = new Uint8Array(capacities.length);
  for (let link = 0; link < classes.length; link++) classes[link] = capacityClassOf(capacities[link]!);
  return classes;
}
