// How fast a link is: what people write, as bits per second, and how wide it is drawn.

const prefixes: Record<string, number> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15 };
const numberAndUnit = /^(\d+(?:[.,]\d+)?(?:e[+-]?\d+)?)\s*(.*)$/i;
const bitsPerSecond = /^(?:(kilo|mega|giga|tera|peta|[kmgtp])\s?(?:i?bits?|b?e|b)?|bits?|b)\s?(?:\/s|ps|\/sec|\/second|per second)?$/i;
const bytes = /^[kKmMgGtTpP]?i?B(?![ei])/; // a large B, but of GBit and GBe
const textMost = 40;
const aloneIsBits = 1e6; // a number alone is in Gbit/s as throughputs are, from here on in bit/s
const bitsMost = 1e16; // no link is faster

// "10G", "100 Gbit/s", "2.5Gbps", "155 Mb/s", "100GbE", "10 gigabit per second", "1e10", "40": bits per
// second. Null: what says no one number of bits, as "1-20 Gbps", "OC-192", "10 GB/s" and "dark fibre".
export function capacityOf(text: string): number | null {
  const found = text.length > textMost ? null : numberAndUnit.exec(text.trim());
  if (!found) return null;
  const value = Number(found[1]!.replace(',', '.'));
  const bits = value * factorOf(found[2]!, value);
  return bits > 0 && bits <= bitsMost ? bits : null;
}

// NaN: that is no unit of capacity.
function factorOf(unit: string, value: number): number {
  if (unit === '') return value < aloneIsBits ? 1e9 : 1;
  const found = bytes.test(unit) ? null : bitsPerSecond.exec(unit);
  return found ? (prefixes[found[1]?.[0]?.toLowerCase() ?? ''] ?? 1) : NaN;
}

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

export function capacityClassOf(bits: number | null): number {
  return bits === null ? 0 : capacityClasses.findLastIndex(({ from }) => bits >= from);
}

// Of every link. Equal texts are read once.
export function capacityClassesOf(texts: string[]): Uint8Array {
  const known = new Map<string, number>();
  return Uint8Array.from(texts, (text) => {
    let found = known.get(text);
    if (found === undefined) known.set(text, found = capacityClassOf(capacityOf(text)));
    return found;
  });
}
