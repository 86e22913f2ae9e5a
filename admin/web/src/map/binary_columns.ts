// Reads the map as the server sends it in binary (docs/api.md, section "Map"): numbers stay where they lie. It comes
// in two sections; with the first the map can be drawn, with the second elements have names and identifiers.
import { byList, noTexts, type Columns, type Integers, type LinkColumns, type Lists, type NodeColumns, type Texts } from './columns.ts';

export const binaryMapType = 'application/vnd.netml.map.v2';

interface Place {
  at: number; // bytes behind the beginning of the columns
  width: number; // bytes of each number; 0: all of them are 0
  steps?: boolean; // with a sign, from the number before
}
type TextsPlace = Place & { text: { at: number; bytes: number } }; // the numbers: how long each is
type ListsPlace = Place & { distinct: number[][] };

interface RecordsPlace {
  rows: number;
  number: Place;
  tags: ListsPlace;
  topologies: ListsPlace;
  owners: ListsPlace;
}
type Drawing = Omit<Columns, 'nodes' | 'links' | 'texts'> & {
  nodes: RecordsPlace & { latitude: Place; longitude: Place };
  links: RecordsPlace & { a: Place; b: Place; capacity: ListsPlace };
};
interface TextTable {
  rows: number;
  name: TextsPlace;
  id: TextsPlace;
}

interface Section<H> {
  header: H;
  columns: ArrayBuffer;
}

const numberBytes = Uint32Array.BYTES_PER_ELEMENT;
const alignment = 8;
const noDegrees = -2147483648;

const sliceMilliseconds = 8;
const decodedAtOnce = 2 ** 21; // bytes of text: a few milliseconds
const pause = () => new Promise((resolve) => { setTimeout(resolve, 0); });

// Takes from a stream as many bytes as are wanted.
class Bytes {
  givesWay = false; // works in slices: what has come already would hold up a frame
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private rest: Uint8Array = new Uint8Array(0);
  private begun = performance.now(); // of this slice

  constructor(stream: ReadableStream<Uint8Array>) {
    this.reader = stream.getReader();
  }

  async take(count: number): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(count);
    for (let taken = 0; taken < count;) {
      if (this.rest.length === 0) this.rest = await this.next();
      const part = this.rest.subarray(0, count - taken);
      bytes.set(part, taken);
      taken += part.length;
      this.rest = this.rest.subarray(part.length);
    }
    return bytes.buffer;
  }

  private async next(): Promise<Uint8Array> {
    if (this.givesWay && performance.now() - this.begun > sliceMilliseconds) {
      await pause();
      this.begun = performance.now();
    }
    const { value, done } = await this.reader.read();
    if (done) throw new Error('the map ends too early');
    return value;
  }
}

async function sectionOf<H>(bytes: Bytes, magic: string): Promise<Section<H>> {
  const begin = await bytes.take(magic.length + numberBytes);
  if (textOf(begin, 0, magic.length) !== magic) throw new Error('no binary map');
  const length = new DataView(begin).getUint32(magic.length, true);
  const blanks = -(begin.byteLength + length) & (alignment - 1);
  const { bytes: size, ...header } = JSON.parse(textOf(await bytes.take(length + blanks), 0, length)) as H & { bytes: number };
  return { header: header as H, columns: await bytes.take(size) };
}

// With the first section; the second stays on its way until its `texts` are wanted.
export async function columnsOfBinary(stream: ReadableStream<Uint8Array>): Promise<Columns> {
  const bytes = new Bytes(stream);
  const columns = columnsOf(await sectionOf<Drawing>(bytes, 'NMAP'));
  let texts: Promise<void> | null = null;
  return { ...columns, texts: () => (texts ??= fillTexts(columns, bytes)) };
}

function columnsOf({ header: { nodes, links, ...rest }, columns }: Section<Drawing>): Omit<Columns, 'texts'> {
  const lists = (place: ListsPlace, rows: number): Lists => ({ distinct: place.distinct, of: integersOf(columns, place, rows) });
  const records = (table: RecordsPlace) => ({
    id: noTexts(), name: noTexts(),
    tags: lists(table.tags, table.rows), topologies: lists(table.topologies, table.rows), owners: lists(table.owners, table.rows),
  });
  const numbers = ({ number, rows }: RecordsPlace) => once(() => integersOf(columns, number, rows));
  const [nodeNumbers, linkNumbers] = [numbers(nodes), numbers(links)];
  const degrees = ({ at }: Place) => degreesOf(new Int32Array(columns, at, nodes.rows));
  const ends = (place: Place) => new Int32Array(integersOf(columns, place, links.rows));
  return {
    ...rest,
    nodes: { get number() { return nodeNumbers(); }, ...records(nodes), latitude: degrees(nodes.latitude), longitude: degrees(nodes.longitude) } satisfies NodeColumns,
    links: {
      get number() { return linkNumbers(); }, ...records(links), a: ends(links.a), b: ends(links.b),
      capacity: byList(Float64Array, lists(links.capacity, links.rows), ([bits]) => bits ?? NaN),
    } satisfies LinkColumns,
  };
}

async function fillTexts({ nodes, links }: Omit<Columns, 'texts'>, bytes: Bytes): Promise<void> {
  bytes.givesWay = true;
  const { header, columns } = await sectionOf<{ nodes: TextTable; links: TextTable }>(bytes, 'NTXT');
  const fill = async (texts: Texts, place: TextsPlace, rows: number) => {
    const whole = await longTextOf(columns, place.text.at, place.text.bytes);
    const ends = sumsOf(integersOf(columns, place, rows));
    Object.assign(texts, { whole, ends });
    await pause();
  };
  for (const [table, { rows, name, id }] of [[nodes, header.nodes], [links, header.links]] as const) {
    await fill(table.name, name, rows);
    await fill(table.id, id, rows);
  }
}

const textOf = (buffer: ArrayBuffer, at: number, bytes: number) => new TextDecoder().decode(new Uint8Array(buffer, at, bytes));

// In pieces: all of it at once would hold up a frame.
async function longTextOf(buffer: ArrayBuffer, at: number, bytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // a first text may begin with that character
  let text = '';
  for (let done = 0; done < bytes; done += decodedAtOnce) {
    text += decoder.decode(new Uint8Array(buffer, at + done, Math.min(decodedAtOnce, bytes - done)), { stream: true });
    await pause();
  }
  return text + decoder.decode();
}

// Numbers of records are no part of the picture: they are made when somebody asks for the first time.
function once<T>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

function integersOf(buffer: ArrayBuffer, { at, width, steps }: Place, rows: number): Integers {
  if (width === 0) return new Uint8Array(rows);
  if (steps) return sumsOf(new (width === 1 ? Int8Array : width === 2 ? Int16Array : Int32Array)(buffer, at, rows));
  const kind = width === 1 ? Uint8Array : width === 2 ? Uint16Array : width === 4 ? Uint32Array : Float64Array;
  return new kind(buffer, at, rows);
}

// Of the first, the first two, ...
function sumsOf(values: ArrayLike<number>): Uint32Array {
  const sums = new Uint32Array(values.length);
  let sum = 0;
  for (let row = 0; row < sums.length; row++) sums[row] = sum += values[row]!;
  return sums;
}

function degreesOf(micro: Int32Array): Float64Array {
  const degrees = new Float64Array(micro.length);
  for (let row = 0; row < degrees.length; row++) degrees[row] = micro[row] === noDegrees ? NaN : micro[row]! / 1e6;
  return degrees;
}
