// Makes the pictures of the README with the program and ten maps of GARR (Internet Topology Zoo), which
// NETML_TEST_DATA has: tests/web/run.sh pictures
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, signIn, visit } from './browser.ts';
import { clickAt, openMap } from './map_page.ts';
import { Data, serve } from './node.ts';
import { takePicture } from './take_picture.ts';

const dates = ['1999-01', '1999-05', '2001-09', '2004-04', '2009-08', '2010-01', '2010-08', '2011-01', '2011-08', '2012-01'];
const folder = join(process.env.NETML_TEST_DATA ?? '', 'zoo');
const size = { width: 1200, height: 780 };

const policy = { name: 'Three ways to Milan', who: { kind: 'node' }, to: { kind: 'node', ids: ['urn:ogf:network:zoo:garr:node:mi-1'] }, routes: 3, disjoint: 'nodes' };

interface Check {
  items: { element: { number: number }; routes: { links: number[] }[] | null }[];
}

interface Features {
  features: { geometry: { coordinates: [number, number] }; properties: { name: string } }[];
}

function seriesData(): Data {
  const data = new Data();
  for (const date of dates) {
    const name = `Garr${date.replace('-', '')}.xml`;
    data.import(name, readFileSync(join(folder, name), 'utf8'), '--root', '--date', `${date}-01T00:00:00Z`);
  }
  data.run(['policy', 'add', '-'], JSON.stringify(policy));
  data.addAccounts();
  return data;
}

// Moves the slider to the step of a date.
async function goTo(page: Page, date: string): Promise<void> {
  const wanted = new Date(`${date}-01T00:00:00Z`).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' });
  const slider = page.getByRole('slider', { name: 'Point in time' });
  const steps = Number(await slider.getAttribute('max'));
  for (let step = 0; step <= steps; step++) {
    await slider.fill(String(step));
    await page.locator('.point', { hasText: ` ${step + 1}/` }).waitFor();
    if ((await page.locator('.point').textContent())!.startsWith(wanted)) return;
  }
  throw new Error(`nothing changed at ${wanted}`);
}

async function takeMaps(page: Page): Promise<void> {
  await openMap(page, '/?view=40.2,12.6,5.75');
  const [longitude, latitude] = await page.evaluate(async () => {
    const { features } = await (await fetch('/api/v1/map/features/nodes.geojson')).json() as Features;
    return features.find(({ properties }) => properties.name === 'BA')!.geometry.coordinates;
  });
  await clickAt(page, latitude, longitude);
  await page.locator('.map-drawer h2').first().waitFor();
  await takePicture(page, 'map');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await goTo(page, '1999-01');
  await takePicture(page, 'map_1999');
  await goTo(page, '2009-08');
  await takePicture(page, 'map_2009');
  await page.getByRole('button', { name: 'Compare other points in time with this one' }).click();
  await goTo(page, '2012-01');
  await page.locator('.compare .key-line').first().waitFor();
  await takePicture(page, 'map_difference');
  await page.getByRole('button', { name: 'End the comparison' }).click();
  await page.getByRole('button', { name: 'What if' }).click();
  await clickAt(page, latitude, longitude);
  await page.locator('.failed .chip').waitFor();
  await takePicture(page, 'map_what_if');
}

async function takeSchematic(page: Page): Promise<void> {
  await openMap(page, '/?layout=schematic');
  await page.locator('.schematic-note').getByText('Nodes can be dragged').waitFor();
  await takePicture(page, 'map_schematic');
}

// The routes of the node that has the longest, of those that have three.
async function takeRoutes(page: Page): Promise<void> {
  const address = await page.evaluate(async () => {
    const { items } = await (await fetch('/api/v1/policies/1/check?all=true')).json() as Check;
    const linksOf = ({ routes }: Check['items'][number]) => (routes ?? []).reduce((sum, { links }) => sum + links.length, 0);
    const [{ element, routes }] = items.filter((item) => item.routes?.length === 3).sort((a, b) => linksOf(b) - linksOf(a)) as [Check['items'][number]];
    return `/?node=${element.number}&routes=${routes!.map(({ links }) => links.join('.')).join(',')}`;
  });
  await openMap(page, address);
  await takePicture(page, 'map_routes');
}

if (!existsSync(join(folder, 'Garr199901.xml'))) {
  process.stdout.write('skipped: NETML_TEST_DATA names no folder with the maps of GARR\n');
  process.exit(77);
}
const [node, browser] = await Promise.all([serve(seriesData()), openBrowser()]);
try {
  const { page: reader } = await visit(browser, node.url, size);
  await takeMaps(reader);
  await takeSchematic(reader);
  const { page } = await visit(browser, node.url, { ...size, dark: true });
  await signIn(page);
  await takeRoutes(page);
  await page.goto('/admin/links/?sort=name');
  await page.locator('tbody tr').first().waitFor();
  await takePicture(page, 'administration');
} finally {
  await browser.close();
  await node.close();
}
