// Where the reader has put nodes of the schematic view: kept in the browser, and few of them in the
// address of the page, too.
export type Moved = ReadonlyMap<number, readonly [x: number, y: number]>; // by record number

const key = 'netml_moved_nodes';
const most = 2000; // the oldest go first
const mostInAddress = 8;
const fine = 1e5; // parts of the square

const isPlace = (value: number) => value >= 0 && value <= 1;

export function movedOf(text: string | null): Moved {
  const moved = new Map<number, [number, number]>();
  for (const part of (text ?? '').split(',')) {
    const [number, x, y] = part.split('.').map(Number) as [number, number?, number?];
    if (number > 0 && x !== undefined && y !== undefined && isPlace(x / fine) && isPlace(y / fine)) moved.set(number, [x / fine, y / fine]);
  }
  return moved;
}

export const movedText = (moved: Moved): string =>
  [...moved].map(([number, [x, y]]) => [number, Math.round(x * fine), Math.round(y * fine)].join('.')).join(',');

export const addressText = (moved: Moved): string => (moved.size <= mostInAddress ? movedText(moved) : '');

export function movedBefore(): Moved {
  return movedOf(readStorage());
}

export function keepMoved(moved: Moved): void {
  const text = movedText(new Map([...moved].slice(-most)));
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch {
    // The browser keeps nothing: the nodes stay where they are until the page is left.
  }
}

function readStorage(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
