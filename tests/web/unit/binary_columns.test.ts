// The map in binary: its two sections, as they come from a stream.
import { expect, it } from 'vitest';
import { columnsOfBinary } from '../../../admin/web/src/map/binary_columns.ts';
import { listAt, textAt } from '../../../admin/web/src/map/columns.ts';

type Column = Int8Array | Uint8Array | Uint32Array | Int32Array | Float64Array;

const utf8 = (text: string) => new TextEncoder().encode(text);

// Columns one after the other, each at a multiple of 8, below a header that says where.
class Section {
  private readonly columns: Uint8Array[] = [];
  private size = 0;

  put(column: Column): number {
    const at = this.size;
    const bytes = new Uint8Array(column.byteLength + (-column.byteLength & 7));
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    this.columns.push(bytes);
    this.size += bytes.length;
    return at;
  }

  numbers = (column: Column) => ({ at: this.put(column), width: column.BYTES_PER_ELEMENT });
  texts = (texts: string[]) => ({
    ...this.numbers(Uint8Array.from(texts, ({ length }) => length)),
    text: { bytes: utf8(texts.join('')).length, at: this.put(utf8(texts.join(''))) },
  });

  bytes(magic: string, header: object): Uint8Array {
    const text = utf8(JSON.stringify({ ...header, bytes: this.size }));
    const begin = 8 + text.length + (-text.length & 7);
    const bytes = new Uint8Array(begin + this.size).fill(32, 0, begin);
    bytes.set(utf8(magic));
    new DataView(bytes.buffer).setUint32(4, text.length, true);
    bytes.set(text, 8);
    let at = begin;
    for (const column of this.columns) {
      bytes.set(column, at);
      at += column.length;
    }
    return bytes;
  }
}

const none = { at: 0, width: 0 };
const nothing = { ...none, distinct: [[]] };
const belongsToNothing = { tags: nothing, topologies: nothing, owners: nothing };
const small = {
  lsn: 3, time: '2024-01-01T00:00:00Z', tags: ['NREN'], institutions: {}, topologies: {}, lifetimes: {},
};

function drawing(): Uint8Array {
  const section = new Section();
  const nodes = {
    rows: 3, ...belongsToNothing, number: { ...section.numbers(Int8Array.of(100, 100, -50)), steps: true },
    tags: { ...section.numbers(Uint8Array.of(0, 1, 0)), distinct: [[], [0]] },
    latitude: section.numbers(Int32Array.of(44_650_000, -1_000_000, -2147483648)), longitude: section.numbers(Int32Array.of(1, 2, -2147483648)),
  };
  const links = {
    rows: 2, ...belongsToNothing, number: section.numbers(Float64Array.of(1, 2 ** 40)), a: none, b: section.numbers(Uint8Array.of(1, 2)),
    capacity: { ...section.numbers(Uint8Array.of(0, 1)), distinct: [[], [1e10]] },
  };
  return section.bytes('NMAP', { ...small, nodes, links });
}

function texts(): Uint8Array {
  const section = new Section();
  const table = (names: string[], ids: string[]) => ({ rows: names.length, name: section.texts(names), id: section.texts(ids) });
  return section.bytes('NTXT', { nodes: table(['Ålesund', '', 'Cid'], ['a', 'b', 'c']), links: table(['ab', 'ac'], ['x', 'y']) });
}

// In pieces of a few bytes, which break wherever they do.
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.subarray(at, at + 7));
      controller.close();
    },
  });
}

const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

it('the first section has all that is drawn, in columns of any width', async () => {
  const { nodes, links, lsn, tags } = await columnsOfBinary(streamOf(joined(drawing(), texts())));
  expect([lsn, tags]).toEqual([3, ['NREN']]);
  expect([...nodes.number]).toEqual([100, 200, 150]);
  expect([0, 1, 2].map((row) => listAt(nodes.tags, row))).toEqual([[], [0], []]);
  expect([0, 1, 2].map((row) => listAt(nodes.owners, row))).toEqual([[], [], []]);
  expect([...nodes.latitude]).toEqual([44.65, -1, NaN]);
  expect([...links.number]).toEqual([1, 2 ** 40]);
  expect([links.a, links.b]).toEqual([Int32Array.of(0, 0), Int32Array.of(1, 2)]);
  expect([...links.capacity]).toEqual([NaN, 1e10]);
});

it('names and identifiers are empty until the second section is there', async () => {
  const parts = new TransformStream<Uint8Array, Uint8Array>();
  const writer = parts.writable.getWriter();
  void writer.write(drawing());
  const columns = await columnsOfBinary(parts.readable);
  expect(textAt(columns.nodes.name, 2)).toBe('');
  void writer.write(texts());
  await columns.texts();
  expect([0, 1, 2].map((row) => textAt(columns.nodes.name, row))).toEqual(['Ålesund', '', 'Cid']);
  expect([0, 1].map((row) => textAt(columns.links.id, row))).toEqual(['x', 'y']);
});

it('long texts, in pieces that end within a character, and one that begins with a mark of byte order', async () => {
  const long = '\ufeffÅ'.padEnd(250, '€');
  const section = new Section();
  const name = { ...section.numbers(Uint32Array.from({ length: 10_000 }, () => long.length)), text: { at: section.put(utf8(long.repeat(10_000))), bytes: utf8(long).length * 10_000 } };
  const empty = { ...none, text: { at: 0, bytes: 0 } };
  const table = { rows: 0, name: empty, id: empty };
  const bytes = section.bytes('NTXT', { nodes: { ...table, rows: 10_000, name }, links: table });
  const columns = await columnsOfBinary(new Response(new Blob([drawing(), bytes])).body!);
  await columns.texts();
  expect([0, 5000, 9999].map((row) => textAt(columns.nodes.name, row))).toEqual([long, long, long]);
});

it('a map that ends before its texts says so to who waits for them', async () => {
  const columns = await columnsOfBinary(streamOf(joined(drawing(), texts().subarray(0, 40))));
  await expect(columns.texts()).rejects.toThrow('ends too early');
});

it('what is no map in binary is refused', async () => {
  await expect(columnsOfBinary(streamOf(utf8('{"lsn": 1}')))).rejects.toThrow('no binary map');
});
