// The network that the tests look at: in Italy, growing over the years.
export type Kind = 'topologies' | 'institutions' | 'nodes' | 'links';
export interface Property { name: string; value: string }
export interface Rec {
  kind: Kind; number: number; id: string; name: string; short_name: string; version: string;
  topologies: number[]; owners: number[]; latitude: string | null; longitude: string | null;
  altitude: string | null; unlocode: string; address: string; start: string | null; end: string | null;
  node_a: number; node_b: number; parent: number | null; owner: number | null; is_main: boolean;
  properties: Property[]; born: number; died: number | null; etag: number;
}

export const cities: [name: string, latitude: number, longitude: number, year: number, gone?: number][] = [
  ['Milano', 45.464, 9.19, 1999], ['Roma', 41.893, 12.483, 1999], ['Bologna', 44.494, 11.343, 1999],
  ['Torino', 45.07, 7.687, 1999], ['Napoli', 40.852, 14.268, 1999], ['Padova', 45.407, 11.877, 1999],
  ['Bari', 41.126, 16.869, 1999], ['Catania', 37.502, 15.087, 1999], ['Pisa', 43.716, 10.402, 1999],
  ['Genova', 44.407, 8.934, 2001], ['Firenze', 43.77, 11.255, 2001], ['Palermo', 38.116, 13.361, 2001],
  ['Cagliari', 39.223, 9.122, 2001], ['Trieste', 45.65, 13.778, 2001], ['Pavia', 45.186, 9.158, 2001],
  ['Frascati', 41.808, 12.682, 2004], ['Perugia', 43.111, 12.389, 2004], ["L'Aquila", 42.35, 13.4, 2004],
  ['Ancona', 43.616, 13.519, 2004, 2010], ['Lecce', 40.352, 18.17, 2009], ['Cosenza', 39.299, 16.254, 2009],
  ['Messina', 38.194, 15.554, 2009], ['Matera', 40.667, 16.604, 2010], ['Sassari', 40.727, 8.56, 2010],
  ['Trento', 46.067, 11.121, 2011], ['Udine', 46.063, 13.235, 2011], ['Ferrara', 44.838, 11.62, 2012],
];
const lines: [a: string, b: string, year: number, tag: string, gbps: string, gone?: number][] = [
  ['Milano', 'Roma', 1999, 'NREN', '0.155', 2004], ['Milano', 'Bologna', 1999, 'NREN', '10'],
  ['Bologna', 'Roma', 1999, 'NREN', '10'], ['Milano', 'Torino', 1999, 'NREN', '2.5'],
  ['Roma', 'Napoli', 1999, 'NREN', '10'], ['Bologna', 'Padova', 1999, 'NREN', '10'],
  ['Napoli', 'Bari', 1999, 'NREN', '10'], ['Napoli', 'Catania', 1999, 'NREN', '2.5'],
  ['Bologna', 'Pisa', 1999, 'NREN', '2.5'], ['Milano', 'Pavia', 2001, 'SREN', '1'],
  ['Torino', 'Genova', 2001, 'NREN', '2.5'], ['Genova', 'Pisa', 2001, 'NREN', '2.5'],
  ['Pisa', 'Firenze', 2001, 'NREN', '2.5'], ['Firenze', 'Roma', 2001, 'NREN', '2.5'],
  ['Catania', 'Palermo', 2001, 'NREN', '2.5'], ['Roma', 'Palermo', 2001, 'NREN', '2.5'],
  ['Roma', 'Cagliari', 2001, 'NREN', '2.5'], ['Padova', 'Trieste', 2001, 'NREN', '2.5'],
  ['Roma', 'Frascati', 2004, 'SREN', '10'], ['Roma', 'Milano', 2004, 'NREN', '10'],
  ['Roma', 'Milano', 2004, 'NREN', '10'], ['Roma', 'Milano', 2009, 'International', '40'],
  ['Roma', 'Perugia', 2004, 'SREN', '1'], ['Roma', "L'Aquila", 2004, 'SREN', '1'],
  ['Bologna', 'Ancona', 2004, 'SREN', '1', 2010], ['Bari', 'Lecce', 2009, 'SREN', '1'],
  ['Napoli', 'Cosenza', 2009, 'SREN', '1'], ['Cosenza', 'Catania', 2009, 'SREN', '1'],
  ['Catania', 'Messina', 2009, 'SREN', '1'], ['Bari', 'Matera', 2010, 'PREN', '1'],
  ['Cagliari', 'Sassari', 2010, 'PREN', '1'], ['Padova', 'Trento', 2011, 'SREN', '1'],
  ['Trieste', 'Udine', 2011, 'SREN', '1'], ['Bologna', 'Ferrara', 2012, 'PREN', '1'],
];
export const years = [1999, 2001, 2004, 2009, 2010, 2011, 2012];

const blank = (kind: Kind, number: number, born: number): Rec => ({
  kind, number, id: '', name: '', short_name: '', version: '2012-01-01T00:00:00Z', topologies: [], owners: [],
  latitude: null, longitude: null, altitude: null, unlocode: '', address: '', start: null, end: null,
  node_a: 0, node_b: 0, parent: null, owner: null, is_main: false, properties: [], born, died: null, etag: 1,
});

const slug = (name: string) => name.toLowerCase().replace(/[^a-z]+/g, '-');

// All records; `born` and `died` count the years from 2, in which they appeared and disappeared.
export function exampleRecords(): Rec[] {
  const records: Rec[] = [];
  const lsnOf = (year: number) => years.indexOf(year) + 2;
  const add = (kind: Kind, year: number, part: Partial<Rec>): Rec => {
    const record = { ...blank(kind, records.length + 1, lsnOf(year)), version: `${year}-01-01T00:00:00Z`, ...part };
    records.push(record);
    return record;
  };
  const institution = (id: string, name: string, short: string, tag: string, latitude: string, longitude: string) =>
    add('institutions', 1999, { id, name, short_name: short, latitude, longitude, properties: [
      { name: 'tag', value: tag }, { name: 'url', value: `https://www.${slug(short)}.example/` },
      { name: 'description', value: `${name} runs a part of the example network.` }] });
  const root = add('topologies', 1999, { id: 'urn:example:topology', name: 'Example Research Network', is_main: true });
  const nren = institution('urn:example:inst:ern', 'Example Research Network', 'ERN', 'NREN', '41.9028', '12.4964');
  const south = institution('urn:example:inst:south', 'Southern Universities', 'SUD', 'SREN', '40.8518', '14.2681');
  const north = institution('urn:example:inst:north', 'Northern Laboratories', 'NORD', 'PREN', '45.4642', '9.19');
  root.owner = nren.number;
  const region = add('topologies', 2004, { id: 'urn:example:topology:south', name: 'Southern Region', parent: root.number, owner: south.number });
  for (const one of [nren, south, north]) one.topologies = [root.number];
  south.topologies.push(region.number); // whose owner it is
  const at = new Map<string, Rec>();
  for (const [name, latitude, longitude, year, gone] of cities) {
    const southern = latitude < 41.5;
    at.set(name, add('nodes', year, {
      id: `urn:example:node:${slug(name)}`, name, short_name: name.slice(0, 3).toUpperCase(), latitude: String(latitude),
      longitude: String(longitude), owners: [southern ? south.number : nren.number],
      topologies: southern ? [root.number, region.number] : [root.number], died: gone ? lsnOf(gone) : null,
      properties: [{ name: 'tag', value: southern ? 'SREN' : 'NREN' }, { name: 'description', value: `Point of presence in ${name}` }],
    }));
  }
  lines.forEach(([a, b, year, tag, gbps, gone], index) => add('links', year, {
    id: `urn:example:link:${slug(a)}-${slug(b)}-${index}`, name: `${a} – ${b}`, node_a: at.get(a)!.number, node_b: at.get(b)!.number,
    owners: [nren.number], topologies: [root.number], died: gone ? lsnOf(gone) : null,
    properties: [{ name: 'tag', value: tag }, { name: 'throughput', value: gbps }],
  }));
  return records;
}
