// Twenty-five networks whose nodes lie close to each other in one region, with capacities of all kinds.
const head = `<?xml version="1.0" encoding="UTF-8"?>
<grenml:Topology id="urn:crowd" xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml" xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#">
<grenml:name>Crowd</grenml:name><grenml:owner>urn:crowd:owner</grenml:owner>
<grenml:Institution id="urn:crowd:owner"><grenml:name>Crowd</grenml:name></grenml:Institution>\n`;
const capacities = ['10G', '100 Gbit/s', '1e9', '155M', '', '400 Gbit/s'];
export const networks = 25;
export const nodesOfEach = 40;

interface Place {
  longitude: number;
  latitude: number;
}
const distance = (a: Place, b: Place) => Math.hypot(a.longitude - b.longitude, a.latitude - b.latitude);

export function crowdFile(): string {
  let seed = 99;
  const random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };
  const network = (k: number) => {
    const id = `urn:crowd:${k}`;
    const owner = `<grenml:owner>${id}:owner</grenml:owner>`;
    const all = Array.from({ length: nodesOfEach }, (_, i) => i);
    const places = all.map(() => ({ longitude: 6 + random() * 8, latitude: 47 + random() * 5 }));
    const nearestBefore = (i: number) => all.slice(0, i).reduce((best, j) => (distance(places[i]!, places[j]!) < distance(places[i]!, places[best]!) ? j : best), 0);
    const links = all.slice(1).map((i) => `<grenml:Link id="${id}:link:${i}"><grenml:name>Link ${k}-${i}</grenml:name>${owner}`
      + `<grenml:Property name="capacity">${capacities[(k + i) % capacities.length]}</grenml:Property>`
      + `<grenml:node>${id}:node:${nearestBefore(i)}</grenml:node><grenml:node>${id}:node:${i}</grenml:node></grenml:Link>`);
    const nodes = all.map((i) => `<grenml:Node id="${id}:node:${i}"><grenml:name>City ${k}-${i}</grenml:name>${owner}<grenml:Location>`
      + `<grenml:long>${places[i]!.longitude.toFixed(4)}</grenml:long><grenml:lat>${places[i]!.latitude.toFixed(4)}</grenml:lat></grenml:Location></grenml:Node>`);
    return `<grenml:Topology id="${id}"><grenml:name>Network ${k}</grenml:name>${owner}`
      + `<grenml:Institution id="${id}:owner"><grenml:name>Operator ${k}</grenml:name></grenml:Institution>\n${links.join('\n')}\n${nodes.join('\n')}</grenml:Topology>`;
  };
  return `${head}${Array.from({ length: networks }, (_, k) => network(k)).join('\n')}\n</grenml:Topology>\n`;
}
