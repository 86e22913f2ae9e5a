// The map: click, search, filters, owners, time, differences, what-if, deep links, keyboard.
import { expect, inject, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { MapColumns } from '../../../admin/web/generated/api.ts';
import { listAt, columnsOfJson, textAt, type Columns, type LinkColumns, type NodeColumns } from '../../../admin/web/src/map/columns.ts';
import { binaryMapType, columnsOfBinary } from '../../../admin/web/src/map/binary_columns.ts';
import { clickAt, openMap, placeOf, resolved } from '../support/map_page.ts';
import { copyOf } from '../support/node.ts';
import { focusIsOn, tabTo } from '../support/page_state.ts';
import { holdAnswers } from '../support/held_answers.ts';
import { browserSuite } from '../support/suite.ts';

const roma: [number, number] = [41.893, 12.483];
const rowsOf = (table: NodeColumns | LinkColumns) => Array.from(table.number, (number, row) => ({
  number, id: textAt(table.id, row), name: textAt(table.name, row),
  lists: [table.tags, table.topologies, table.owners].map((lists) => listAt(lists, row)),
  values: 'a' in table ? [table.a[row], table.b[row], table.capacity[row]] : [table.latitude[row], table.longitude[row]],
}));
const drawer = (page: Page) => page.locator('.map-drawer');

browserSuite('the map', (suite) => {
  it('needs no account, and a click on a node opens its drawer', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page);
    await page.locator('#fim_login').waitFor();
    await shot('map');
    await clickAt(page, ...roma);
    await drawer(page).getByRole('heading', { name: 'Roma' }).waitFor();
    await drawer(page).getByText('Point of presence in Roma').waitFor();
    await drawer(page).getByText('NREN', { exact: true }).waitFor();
    await shot('map_node');
    await expect.poll(() => page.url()).toMatch(/[?&]node=\d+/);
    await clickAt(page, ...roma);
    await drawer(page).waitFor({ state: 'detached' });
  });

  it('gets its data in columns of fixed width, which say what the JSON says', async () => {
    const ask = (accept: string) => fetch(`${suite.node.url}/api/v1/map`, { headers: { Accept: accept } });
    const json = columnsOfJson((await (await ask('application/json')).json()) as MapColumns);
    const binary = await columnsOfBinary((await ask(binaryMapType)).body!);
    await binary.texts();
    const plain = ({ nodes, links, texts: _, ...rest }: Columns) => ({ rest, nodes: rowsOf(nodes), links: rowsOf(links) });
    expect(plain(binary)).toEqual(plain(json));
    expect(rowsOf(binary.nodes).length).toBeGreaterThan(10);
  });

  it('tells the name of what the pointer is over, as text and never as markup', async () => {
    const { page } = await suite.visit();
    await openMap(page);
    const box = (await page.locator('.chart').boundingBox())!;
    const at = await placeOf(page, ...roma);
    await page.mouse.move(box.x + at.x, box.y + at.y);
    await expect.poll(() => page.locator('.leaflet-tooltip').textContent()).toBe('Roma');
  });

  it('a click on a link shows its speed and its ends', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page);
    await clickAt(page, (41.893 + 39.223) / 2 + 0.03, (12.483 + 9.122) / 2);
    await drawer(page).getByRole('heading', { name: 'Link Details' }).waitFor();
    await drawer(page).getByText('2.5 Gbps').waitFor();
    await shot('map_link');
    await drawer(page).getByRole('button', { name: 'Cagliari' }).click();
    await drawer(page).getByRole('heading', { name: 'Cagliari' }).waitFor();
  });

  it('takes a click while it is painted anew', async () => {
    const { page } = await suite.visit();
    await openMap(page);
    const chart = (await page.locator('.chart').boundingBox())!;
    const { x, y } = await placeOf(page, (41.893 + 39.223) / 2 + 0.03, (12.483 + 9.122) / 2);
    await page.mouse.move(chart.x + x, chart.y + y);
    await page.mouse.down();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    await resolved(page);
    await page.mouse.up();
    await drawer(page).getByRole('heading', { name: 'Link Details' }).waitFor();
  });

  it('is found by words, and an address shows the same again', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Name or identifier' }).fill('tries');
    await page.locator('.results').getByRole('button', { name: /Trieste/ }).first().click();
    await drawer(page).getByRole('heading', { name: 'Trieste' }).waitFor();
    await resolved(page);
    await shot('map_search');
    await expect.poll(() => page.url()).toMatch(/node=\d+.*view=/);
    const other = await suite.visit();
    await openMap(other.page, page.url());
    await drawer(other.page).getByRole('heading', { name: 'Trieste' }).waitFor();
  });

  it('is filtered by tags and topology', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page);
    await page.getByRole('button', { name: 'List', exact: true }).click();
    const count = async () => Number(await page.locator('.map-panel [role=status]').textContent());
    await expect.poll(count).toBeGreaterThan(0);
    const all = await count();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('group', { name: 'Node tags' }).getByLabel('SREN').check();
    await shot('map_filter');
    await expect.poll(() => page.url()).toContain('node-tags=SREN');
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await expect.poll(count).toBeLessThan(all);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await page.getByLabel('Topology').selectOption({ index: 2 });
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await expect.poll(count).toBeLessThan(all);
    await shot('map_list');
  });

  it('lists owners, and the research and education networks by their kind', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page);
    await page.getByRole('button', { name: 'Owners' }).click();
    await page.locator('.owners summary', { hasText: 'Southern Universities' }).click();
    await page.getByRole('link', { name: 'www.sud.example' }).waitFor();
    await page.getByRole('button', { name: 'Show the nodes of Southern Universities' }).click();
    await drawer(page).getByRole('heading', { name: 'Southern Universities' }).waitFor();
    await resolved(page);
    await shot('map_owners');
    await page.getByRole('button', { name: 'Research and education networks' }).click();
    await expect.poll(() => page.locator('.map-panel h3').allTextContents()).toEqual(['NREN', 'SREN', 'PREN']);
    await page.getByRole('button', { name: 'Zoom to SUD' }).click();
    await shot('map_rens');
  });

  it('plays the past, step by step and by itself', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page);
    await page.getByRole('button', { name: 'Time', exact: true }).click();
    const slider = page.getByRole('slider', { name: 'Point in time' });
    await slider.waitFor();
    await page.getByRole('button', { name: 'List', exact: true }).waitFor();
    await slider.fill('0');
    await page.locator('.point', { hasText: '1999' }).waitFor();
    await expect.poll(() => page.url()).toContain('at=2');
    await shot('map_1999');
    await page.getByRole('button', { name: 'Step forward' }).click();
    await page.locator('.point', { hasText: '2001' }).waitFor();
    const drawing = await holdAnswers(page, /\/map\?at=5$/); // until the film was seen there, which waits for the map
    await page.getByRole('button', { name: 'Play' }).click();
    await page.locator('.point', { hasText: '2009' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await drawing.letGo();
    await page.getByRole('button', { name: 'Now' }).click();
    await expect.poll(() => page.url()).not.toContain('at=');
  });

  it('shows the difference between two points in colour', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page);
    await page.getByRole('button', { name: 'Time', exact: true }).click();
    const slider = page.getByRole('slider', { name: 'Point in time' });
    await slider.fill('1');
    await page.locator('.point', { hasText: '2001' }).waitFor();
    await page.getByRole('button', { name: 'Compare other points in time with this one' }).click();
    await slider.fill('4');
    await page.getByText('Compared with').waitFor();
    await expect.poll(() => page.locator('.compare .key-line').first().textContent()).toMatch(/^[1-9]\d* added$/);
    await expect.poll(() => page.locator('.compare .key-line').nth(1).textContent()).toMatch(/^[1-9]\d* removed$/);
    await shot('map_difference');
    await page.getByRole('button', { name: 'End the comparison' }).click();
    await page.locator('.compare .key-line').first().waitFor({ state: 'detached' });
  });

  it('tells who is cut off when something fails, and calls it simulated', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page);
    await page.getByRole('button', { name: 'What if' }).click();
    await page.locator('.simulated').waitFor();
    await clickAt(page, 41.126, 16.869); // Bari
    await page.locator('.failed .chip', { hasText: 'Bari' }).waitFor();
    const panel = page.getByRole('region', { name: 'What if' });
    await panel.getByText('Nodes cut off: 2').waitFor();
    await panel.getByRole('button', { name: 'Lecce' }).waitFor();
    await panel.getByText(/^Links that newly become the only path: \d+$/).waitFor();
    await panel.getByText('Those that already are the only path today are not counted.').waitFor();
    await shot('map_what_if');
    await clickAt(page, 41.126, 16.869); // repaired again
    await panel.getByText('Nodes cut off').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'What if' }).click();
    await page.locator('.simulated').waitFor({ state: 'detached' });
  });

  it('asks what would fail in the topology of the filter, and again when the filter changes', async () => {
    const { page } = await suite.visit();
    await openMap(page);
    const filter = async (index: number) => {
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByLabel('Topology').selectOption({ index });
    };
    await filter(2);
    await page.waitForURL(/[?&]topology=\d+(&|$)/);
    const asked = page.waitForRequest(/what-if/);
    await page.getByRole('button', { name: 'What if' }).click();
    await clickAt(page, 41.126, 16.869); // Bari
    const { topology } = (await asked).postDataJSON() as { topology: number };
    expect(String(topology)).toBe(new URL(page.url()).searchParams.get('topology'));
    await page.getByRole('region', { name: 'What if' }).getByText('Nodes cut off: 0').waitFor(); // its links are another's
  });

  it('shows the point in time that the address names', async () => {
    const { page, shot } = await suite.visit();
    const point = page.locator('.point');
    await openMap(page, '/?at=import:1');
    await point.getByText('1999').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe('import:1');
    await openMap(page, '/?at=2003-05-05');
    await point.getByText('2001').waitFor();
    await openMap(page, '/?at=2004-06-01T08:00:00Z');
    await point.getByText('2004').waitFor();
    await openMap(page, '/?at=1990-01-01');
    await point.getByText('Before the first change').waitFor();
    await page.getByRole('button', { name: 'List', exact: true }).waitFor();
    await shot('map_before_all');
    await page.getByRole('button', { name: 'Step forward' }).click();
    await point.getByText('1999').waitFor();
    await page.getByRole('button', { name: 'Now' }).click();
    await expect.poll(() => page.url()).not.toContain('at=');
  });

  it('has nothing on it before the first import, and refuses what is no point in time', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page, '/?at=0');
    expect(await page.evaluate(async () => ((await (await fetch('/api/v1/map?at=0')).json()) as { nodes: { id: string[] } }).nodes.id)).toEqual([]);
    await page.locator('.point').getByText('Before the first change').waitFor();
    await page.goto('/?at=garbage');
    const alert = page.getByRole('alert');
    await alert.getByText('“garbage” is no point in time of this map.').waitFor();
    await shot('map_unknown_time');
    await expect.poll(() => page.url()).toContain('at=garbage');
    await alert.getByRole('button', { name: 'Show the map as it is now' }).click();
    await page.waitForFunction(() => 'netmlChart' in (document.querySelector('.chart') ?? {}));
    await alert.waitFor({ state: 'detached' });
    await resolved(page);
    await clickAt(page, ...roma);
    await drawer(page).getByRole('heading', { name: 'Roma' }).waitFor();
    await expect.poll(() => page.url()).not.toContain('at=');
  });

  it('is used with the keyboard alone', async () => {
    const { page } = await suite.visit();
    await openMap(page);
    await page.keyboard.press('Tab');
    await focusIsOn(page.locator('.skip'));
    await tabTo(page, 'button[aria-label="List"]');
    await page.keyboard.press('Enter');
    await focusIsOn(page.getByRole('searchbox', { name: 'Name' }));
    await page.keyboard.type('milano');
    await expect.poll(() => page.locator('.results .row').count()).toBe(1);
    await page.keyboard.press('Tab');
    await focusIsOn(page.locator('.results .row'));
    await page.keyboard.press('Enter');
    await drawer(page).getByRole('heading', { name: 'Milano' }).waitFor();
    await page.keyboard.press('Escape');
    await drawer(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.locator('.map-panel').waitFor({ state: 'detached' });
    await resolved(page);
    const before = page.url();
    await page.locator('.chart').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.url()).not.toBe(before);
  });

  it('is in the start page of the administration, and leads to the forms', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/');
    await page.locator('.start-map .chart').waitFor();
    await shot('start');
    await page.goto('/');
    await page.locator('#fim_logout_staff').waitFor();
    await page.waitForFunction(() => 'netmlChart' in (document.querySelector('.chart') ?? {}));
    await resolved(page);
    await clickAt(page, ...roma);
    await drawer(page).getByRole('link', { name: 'Edit' }).click();
    await page.waitForURL(/\/admin\/nodes\/\d+\//);
  });

  it('is switched off by a setting', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/settings/');
    const setting = page.locator('.setting', { hasText: 'GREN_MAP_VISUALIZATION_ENABLED' });
    await setting.getByRole('switch').uncheck();
    await setting.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved: GREN Map Visualization Enabled').waitFor();
    await page.goto('/');
    await page.waitForURL(/\/admin\//);
    await page.goto('/admin/settings/');
    await setting.getByRole('button', { name: 'Reset to default value' }).click();
    await page.getByText('has its default value again').waitFor();
  });
});

// A second network, larger than the example: a ring in the north.
function ring(count: number): string {
  const at = (i: number) => `urn:ring:${i % count}`;
  const owner = '<grenml:owner>urn:ring:owner</grenml:owner>';
  const all = Array.from({ length: count }, (_, i) => i);
  const links = all.map((i) => `<grenml:Link id="urn:ring:link:${i}"><grenml:name>Ring ${i}</grenml:name>${owner}`
    + `<grenml:node>${at(i)}</grenml:node><grenml:node>${at(i + 1)}</grenml:node></grenml:Link>`);
  const nodes = all.map((i) => `<grenml:Node id="${at(i)}"><grenml:name>Ring ${i}</grenml:name>${owner}<grenml:Location>`
    + `<grenml:long>${20 + 3 * Math.cos(i)}</grenml:long><grenml:lat>${65 + 2 * Math.sin(i)}</grenml:lat></grenml:Location></grenml:Node>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<grenml:Topology id="urn:ring" xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml" xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#">
<grenml:name>Ring</grenml:name><grenml:owner>urn:ring:owner</grenml:owner>
<grenml:Institution id="urn:ring:owner"><grenml:name>Ring</grenml:name></grenml:Institution>
${links.join('\n')}\n${nodes.join('\n')}\n</grenml:Topology>\n`;
}

function exampleWithRing() {
  const data = copyOf(inject('example'));
  data.import('ring.xml', ring(60), '--root');
  return data;
}

browserSuite('a map of several networks', (suite) => {
  it('tells who is cut off in each of them, not in the largest alone', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page, '/?view=41,14,7');
    await page.getByRole('button', { name: 'What if' }).click();
    await clickAt(page, 41.126, 16.869); // Bari
    await page.locator('.failed .chip', { hasText: 'Bari' }).waitFor();
    const panel = page.getByRole('region', { name: 'What if' });
    await panel.getByText('Nodes cut off: 2').waitFor();
    await panel.getByRole('button', { name: 'Lecce' }).waitFor();
    await shot('map_what_if_of_several');
  });
}, { data: exampleWithRing });
