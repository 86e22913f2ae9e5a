// Makes the pictures of the README with the program and ten maps of GARR (Internet Topology Zoo), which
// NETML_TEST_DATA has: tests/web/run.sh pictures
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, signIn, visit } from './browser.ts';
import { clickAt, openMap, resolved } from './map_page.ts';
import { Data, serve } from './node.ts';
import { smallPicture } from './small_png.ts';

const dates = ['1999-01', '1999-05', '2001-09', '2004-04', '2009-08', '2010-01', '2010-08', '2011-01', '2011-08', '2012-01'];
const folder = join(process.env.NETML_TEST_DATA ?? '', 'zoo');
const out = resolve(import.meta.dirname, '../../../docs/pictures');
const size = { width: 1200, height: 780 };

interface Features {
  features: { geometry: { coordinates: [number, number] }; properties: { name: string } }[];
}

function seriesData(): Data {
  const data = new Data();
  for (const date of dates) {
    const name = `Garr${date.replace('-', '')}.xml`;
    data.import(name, readFileSync(join(folder, name), 'utf8'), '--root', '--date', `${date}-01T00:00:00Z`);
  }
  data.addAccounts();
  return data;
}

async function take(page: Page, name: string): Promise<void> {
  await resolved(page).catch(() => undefined); // not every page has a map
  await page.locator('.working-line').waitFor({ state: 'detached' }); // all that was asked for is there
  const picture = await smallPicture(page);
  writeFileSync(join(out, `${name}.png`), picture);
  process.stdout.write(`docs/pictures/${name}.png: ${Math.ceil(picture.length / 1024)} KiB\n`);
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
  await take(page, 'map');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await goTo(page, '1999-01');
  await take(page, 'map_1999');
  await goTo(page, '2009-08');
  await take(page, 'map_2009');
  await page.getByRole('button', { name: 'Compare other points in time with this one' }).click();
  await goTo(page, '2012-01');
  await page.locator('.compare .key-line').first().waitFor();
  await take(page, 'map_difference');
  await page.getByRole('button', { name: 'End the comparison' }).click();
  await page.getByRole('button', { name: 'What if' }).click();
  await clickAt(page, latitude, longitude);
  await page.locator('.failed .chip').waitFor();
  await take(page, 'map_what_if');
}

if (!existsSync(join(folder, 'Garr199901.xml'))) {
  process.stdout.write('skipped: NETML_TEST_DATA names no folder with the maps of GARR\n');
  process.exit(77);
}
mkdirSync(out, { recursive: true });
const [node, browser] = await Promise.all([serve(seriesData()), openBrowser()]);
try {
  await takeMaps((await visit(browser, node.url, size)).page);
  const { page } = await visit(browser, node.url, { ...size, dark: true });
  await signIn(page);
  await page.goto('/admin/links/?sort=name');
  await page.locator('tbody tr').first().waitFor();
  await take(page, 'administration');
} finally {
  await browser.close();
  await node.close();
}
