// A picture of a page for the documentation, when all that it asked for is there.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { resolved } from './map_page.ts';
import { smallPicture } from './small_png.ts';

const root = resolve(import.meta.dirname, '../../..');

// As docs/pictures/NAME.png.
export async function takePicture(page: Page, name: string): Promise<void> {
  await page.waitForFunction(() => document.querySelector('main h1') && !document.querySelector('main [aria-busy=true], .working-line'));
  if (await page.locator('.leaflet-map-pane').count() > 0) await resolved(page);
  const picture = await smallPicture(page);
  const file = join(root, 'docs/pictures', `${name}.png`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, picture);
  process.stdout.write(`${relative(root, file)}: ${Math.ceil(picture.length / 1024)} KiB\n`);
}
