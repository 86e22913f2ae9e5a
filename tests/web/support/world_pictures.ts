// Makes pictures of real networks on one map, which NETML_TEST_DATA has: the world, a dense region, a city,
// the plan of an import and the start page, in light and dark: tests/web/run.sh world
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { drop } from '../browser/steps.ts';
import { openBrowser, signIn, visit, type Visitor, type Wishes } from './browser.ts';
import { openMap } from './map_page.ts';
import { Data, serve } from './node.ts';
import { takePicture } from './take_picture.ts';

const data = process.env.NETML_TEST_DATA ?? '';
const joined = join(data, 'rens.xml'); // the newest map of each of 18 networks
const others = join(data, 'formats/graphml');

function worldData(): Data {
  const world = new Data();
  world.import('rens.xml', readFileSync(joined, 'utf8'), '--root');
  const known = new Set(readdirSync(join(data, 'zoo')).map((name) => seriesOf(name)));
  for (const name of readdirSync(others).filter((file) => !known.has(seriesOf(file))))
    world.import(name, readFileSync(join(others, name), 'utf8'), '--owner', basename(name, '.graphml'));
  world.addAccounts();
  return world;
}

// "Garr201201.graphml" is of the series "Garr".
const seriesOf = (file: string) => file.replace(/\d*\.\w+$/, '');

async function takeMaps(page: Page, colours: string): Promise<void> {
  for (const [name, view] of [['world', '38,-25,3'], ['region', '50.3,9.5,7'], ['city', '59.33,18.05,12']]) {
    await openMap(page, `/?view=${view}`);
    await takePicture(page, `world/${name}_${colours}`);
  }
}

// Of a map of some months before.
async function takePlan(page: Page, colours: string): Promise<void> {
  await page.goto('/admin/file-imports/');
  await drop(page, 'Garr201101.xml', readFileSync(join(data, 'zoo/Garr201101.xml'), 'utf8'));
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page.locator('.change-groups').waitFor();
  await page.locator('.netml-map').getByRole('region', { name: 'Legend' }).getByRole('button').first().waitFor();
  await takePicture(page, `world/plan_${colours}`);
}

async function takeStartPage(wishes: Wishes, colours: string, of: (wishes: Wishes) => Promise<Visitor>): Promise<void> {
  for (const width of [390, 1440, 2560]) {
    const { page, close } = await of({ ...wishes, width, height: width < 500 ? 844 : 1000 });
    await signIn(page);
    await page.goto('/admin/');
    await page.locator('.start-map .chart').waitFor();
    await takePicture(page, `world/start_${width}_${colours}`);
    await close();
  }
}

if (!existsSync(joined) || !existsSync(others)) {
  process.stdout.write('skipped: NETML_TEST_DATA names no folder with maps of real networks\n');
  process.exit(77);
}
const [node, browser] = await Promise.all([serve(worldData()), openBrowser()]);
try {
  const of = (wishes: Wishes) => visit(browser, node.url, wishes);
  for (const [colours, dark] of [['light', false], ['dark', true]] as const) {
    const { page, close } = await of({ dark, width: 1360, height: 860 });
    await takeMaps(page, colours);
    await signIn(page);
    await takePlan(page, colours);
    await close();
    await takeStartPage({ dark }, colours, of);
  }
} finally {
  await browser.close();
  await node.close();
}
