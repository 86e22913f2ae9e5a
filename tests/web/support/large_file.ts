// A map of any size for the measurements: fibres that wander off from each city of the example.
import { cities } from './example.ts';

const head = `<?xml version="1.0" encoding="UTF-8"?>
<grenml:Topology id="urn:large" version="2024-01-01T00:00:00Z" xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml"
  xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#">
<grenml:name>Large network</grenml:name><grenml:owner>urn:large:owner</grenml:owner>
<grenml:Institution id="urn:large:owner"><grenml:name>Owner</grenml:name></grenml:Institution>\n`;
const owner = '<grenml:owner>urn:large:owner</grenml:owner>';
const between = (least: number, value: number, most: number) => Math.max(least, Math.min(most, value));

export function largeFile(count: number): string {
  let seed = 12345;
  const random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };
  const ends = cities.map(([, latitude, longitude]) => ({ latitude, longitude }));
  const nodes: string[] = [];
  const links: string[] = [];
  for (let i = 0; i < count; i++) {
    const end = ends[i % ends.length]!;
    end.latitude = between(-60, end.latitude + (random() - 0.5) * 0.9, 72);
    end.longitude = between(-170, end.longitude + (random() - 0.5) * 1.4, 170);
    nodes.push(`<grenml:Node id="urn:large:node:${i}"><grenml:name>Node ${i}</grenml:name>${owner}<grenml:Location>`
      + `<grenml:long>${end.longitude.toFixed(5)}</grenml:long><grenml:lat>${end.latitude.toFixed(5)}</grenml:lat></grenml:Location></grenml:Node>`);
    const other = (i + ends.length * (random() < 0.95 ? 1 : 1 + Math.floor(random() * 40))) % count;
    links.push(`<grenml:Link id="urn:large:link:${i}"><grenml:name>Link ${i}</grenml:name>${owner}`
      + `<grenml:Property name="tag">${i % 3 ? 'NREN' : 'International'}</grenml:Property>`
      + `<grenml:node>urn:large:node:${i}</grenml:node><grenml:node>urn:large:node:${other}</grenml:node></grenml:Link>`);
  }
  return `${head}${links.join('\n')}\n${nodes.join('\n')}\n</grenml:Topology>\n`;
}
