// The example as NetML files, one for each year.
import { exampleRecords, years, type Kind, type Rec } from './example.ts';

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
const element = (name: string, text: string | null) => (text ? `<grenml:${name}>${escaped(text)}</grenml:${name}>` : '');

function written(rec: Rec, idOf: (number: number) => string): string {
  const properties = rec.properties.map((one) => `<grenml:Property name="${one.name}">${escaped(one.value)}</grenml:Property>`).join('');
  const owners = rec.owners.map((owner) => element('owner', idOf(owner))).join('');
  const place = rec.latitude === null ? ''
    : `<grenml:Location>${element('long', rec.longitude)}${element('lat', rec.latitude)}</grenml:Location>`;
  const head = element('name', rec.name) + element('short-name', rec.short_name);
  const open = (name: string) => `<grenml:${name} id="${rec.id}" version="${rec.version}">`;
  if (rec.kind === 'institutions') return `${open('Institution')}${head}${place}${properties}</grenml:Institution>`;
  if (rec.kind === 'nodes') return `${open('Node')}${head}${owners}${place}${properties}</grenml:Node>`;
  const ends = element('node', idOf(rec.node_a)) + element('node', idOf(rec.node_b));
  return `${open('Link')}${head}${owners}${properties}${ends}</grenml:Link>`;
}

export function exampleFile(year: number): string {
  const lsn = years.indexOf(year) + 2;
  const alive = exampleRecords().filter((rec) => rec.born <= lsn && (rec.died === null || rec.died > lsn));
  const idOf = (number: number) => alive.find((rec) => rec.number === number)!.id;
  const namespaces = 'xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml" xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#"';
  const order: Kind[] = ['institutions', 'links', 'nodes'];
  const topology = (rec: Rec, attributes: string): string => {
    const members = order.flatMap((kind) => alive.filter((one) => one.kind === kind && one.topologies.includes(rec.number)));
    const below = alive.filter((one) => one.kind === 'topologies' && one.parent === rec.number);
    return `<grenml:Topology id="${rec.id}" version="${year}-01-01T00:00:00Z" ${attributes}>${element('name', rec.name)}`
      + `${element('owner', idOf(rec.owner!))}\n${members.map((one) => written(one, idOf)).join('\n')}\n`
      + `${below.map((one) => topology(one, '')).join('\n')}</grenml:Topology>`;
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${topology(alive.find((rec) => rec.is_main)!, namespaces)}\n`;
}
