// Where names stand on the map: the important ones first, and never one over another. A grid of
// cells knows which boxes touch it, so a label is compared with its neighbours only.

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Wish {
  x: number; // the middle of what is named
  y: number;
  away: number; // its radius
  width: number; // of the text
  height: number;
}

export interface Placed {
  wish: number; // its place among the wishes
  box: Box;
}

const cellPixels = 48;

export class BoxGrid {
  private readonly cells = new Map<number, Box[]>();

  add(box: Box): void {
    this.forEachCell(box, (key) => {
      const found = this.cells.get(key);
      if (found) found.push(box);
      else this.cells.set(key, [box]);
      return false;
    });
  }

  touches(box: Box): boolean {
    return this.forEachCell(box, (key) => this.cells.get(key)?.some((other) => overlap(box, other)) ?? false);
  }

  // Until `visit` answers true.
  private forEachCell({ left, top, right, bottom }: Box, visit: (key: number) => boolean): boolean {
    for (let row = Math.floor(top / cellPixels); row <= Math.floor(bottom / cellPixels); row++) {
      for (let column = Math.floor(left / cellPixels); column <= Math.floor(right / cellPixels); column++) {
        if (visit(row * 0x10000 + column)) return true;
      }
    }
    return false;
  }
}

export const overlap = (a: Box, b: Box) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// The first of four places beside what is named that nothing has taken: right, left, below, above.
// `taken`: what no label may cover; the labels are added to it. At most `most` are placed.
export function placeLabels(wishes: Wish[], taken: BoxGrid, most: number): Placed[] {
  const placed: Placed[] = [];
  for (let wish = 0; wish < wishes.length && placed.length < most; wish++) {
    const box = placesOf(wishes[wish]!).find((place) => !taken.touches(place));
    if (!box) continue;
    taken.add(box);
    placed.push({ wish, box });
  }
  return placed;
}

function placesOf({ x, y, away, width, height }: Wish): Box[] {
  const at = (left: number, top: number): Box => ({ left, top, right: left + width, bottom: top + height });
  return [
    at(x + away, y - height / 2), at(x - away - width, y - height / 2),
    at(x - width / 2, y + away), at(x - width / 2, y - away - height),
  ];
}
