// Gives whole numbers places 0, 1, 2, ... in the order in which they come: a Map of many numbers takes
// several times as long, and its memory is collected while frames wait.
export class NumberTable {
  count = 0;
  private keys: Float64Array; // of each slot; the table is at most half full
  private places: Int32Array;

  constructor(expected: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * Math.min(expected, 1 << 13) + 2));
    this.keys = new Float64Array(slots).fill(NaN);
    this.places = new Int32Array(slots);
  }

  // The place of a number, which is a new one (the count before) where it has none.
  place(key: number): number {
    const slot = this.slotOf(key);
    if (this.keys[slot] === key) return this.places[slot]!;
    this.keys[slot] = key;
    this.places[slot] = this.count;
    this.count += 1;
    if (2 * this.count > this.keys.length) this.grow();
    return this.count - 1;
  }

  private slotOf(key: number): number {
    const last = this.keys.length - 1;
    let slot = mixed(key | 0, (key / 2 ** 32) | 0) & last;
    while (this.keys[slot] !== key && !Number.isNaN(this.keys[slot])) slot = (slot + 1) & last;
    return slot;
  }

  private grow(): void {
    const { keys, places } = this;
    this.keys = new Float64Array(2 * keys.length).fill(NaN);
    this.places = new Int32Array(2 * keys.length);
    for (let old = 0; old < keys.length; old++) {
      if (Number.isNaN(keys[old])) continue;
      const slot = this.slotOf(keys[old]!);
      this.keys[slot] = keys[old]!;
      this.places[slot] = places[old]!;
    }
  }
}

// The finalizer of MurmurHash3: every bit of a number counts for every bit of the slot.
function mixed(low: number, high: number): number {
  let hash = low ^ Math.imul(high, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
