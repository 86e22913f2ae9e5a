// What the colours of the map mean, how crowded regions are drawn, and pictures of the map.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { crowdFile, networks, nodesOfEach } from '../support/crowd_file.ts';
import { inViewOf, labelsOf, openMap, resolved, shareOfBlobs, type DrawnLabel } from '../support/map_page.ts';
import { Data } from '../support/node.ts';
import { browserSuite } from '../support/suite.ts';

const crowd = () => {
  const data = new Data();
  data.import('crowd.xml', crowdFile(), '--root');
  return data;
};
const legend = (page: Page) => page.getByRole('region', { name: 'Legend' });
const rows = (page: Page) => legend(page).locator('li button');
const row = (page: Page, name: string) => rows(page).filter({ has: page.getByText(name, { exact: true }) });
const elementsOfEach = 2 * nodesOfEach - 1; // a tree

function overlaps(labels: DrawnLabel[]): string[] {
  return labels.flatMap(({ text, box }, i) => labels.slice(i + 1)
    .filter(({ box: other }) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)
    .map((other) => `${text} and ${other.text}`));
}

browserSuite('the legend of the map', (suite) => {
  it('names every network in view and counts its nodes and links', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page);
    await expect.poll(() => rows(page).count()).toBe(networks);
    expect(await rows(page).locator('small').allTextContents()).toEqual(Array.from({ length: networks }, () => String(elementsOfEach)));
    await expect.poll(() => row(page, 'Network 3').getAttribute('title')).toBe(`${nodesOfEach} nodes, ${nodesOfEach - 1} links`);
    for (const text of ['400 Gbit/s', '100 Gbit/s', '10 Gbit/s', '1 Gbit/s', '< 1 Gbit/s', 'Unknown capacity']) {
      await legend(page).getByText(text, { exact: true }).waitFor();
    }
    await shot('map_legend');
  });

  it('shows one network alone, two, and all of them again', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page);
    const listed = async () => Number((await page.locator('.map-panel [role=status]').textContent())!.replace(',', ''));
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await expect.poll(listed).toBe(networks * nodesOfEach);
    await row(page, 'Network 3').click();
    await expect.poll(listed).toBe(nodesOfEach);
    await expect.poll(() => inViewOf(page)).toBe(nodesOfEach); // so few are drawn one by one
    await expect.poll(() => page.url()).toMatch(/[?&]only=\d+(&|$)/);
    await shot('map_legend_filter');
    await row(page, 'Network 4').click();
    await expect.poll(listed).toBe(2 * nodesOfEach);
    const other = await suite.visit();
    await openMap(other.page, page.url());
    await expect.poll(() => row(other.page, 'Network 4').getAttribute('aria-pressed')).toBe('true');
    await legend(page).getByRole('button', { name: 'Show all of them' }).click();
    await expect.poll(listed).toBe(networks * nodesOfEach);
  });

  it('is used with the keyboard', async () => {
    const { page } = await suite.visit();
    await openMap(page);
    await row(page, 'Network 3').focus();
    await page.keyboard.press('Space');
    await expect.poll(() => row(page, 'Network 3').getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => inViewOf(page)).toBe(nodesOfEach);
    await page.keyboard.press('Enter');
    await expect.poll(() => row(page, 'Network 3').getAttribute('aria-pressed')).toBe('false');
    const toggle = legend(page).getByRole('button', { name: 'Legend' });
    await toggle.focus();
    await page.keyboard.press('Enter');
    await rows(page).first().waitFor({ state: 'detached' });
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
  });

  it('tells owners and tags instead, as the reader asks', async () => {
    const { page } = await suite.visit();
    await openMap(page);
    await legend(page).getByRole('combobox', { name: 'Colour by' }).selectOption({ label: 'Owner' });
    await row(page, 'Operator 3').waitFor();
    await expect.poll(() => page.url()).toContain('colour=owner');
    await legend(page).getByRole('combobox', { name: 'Colour by' }).selectOption({ label: 'Tag' });
    await expect.poll(() => rows(page).allTextContents()).toEqual([`Others${(networks * elementsOfEach).toLocaleString('en')}`]);
  });

  it('gives way to what failed, which has colours of its own', async () => {
    const { page } = await suite.visit();
    await openMap(page);
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'What if' }).click();
    await legend(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'What if' }).click();
    await rows(page).first().waitFor();
  });
}, { data: crowd });

browserSuite('a crowded map', (suite) => {
  it.each([[4, false], [5.5, false], [7, false], [7, true], [9, false]])('has names that do not overlap at zoom level %d (dark: %s)', async (zoom, dark) => {
    const { page, shot } = await suite.visit({ dark });
    await openMap(page, `/?view=49.5,10,${zoom}`);
    await expect.poll(async () => (await labelsOf(page)).length).toBeGreaterThan(4);
    await resolved(page);
    expect(overlaps(await labelsOf(page))).toEqual([]);
    await shot(`map_crowd_${zoom}${dark ? '_dark' : ''}`);
  });

  it.each([[3, false], [3, true], [5, false]])('can be read at zoom level %d: blobs cover little of it (dark: %s)', async (zoom, dark) => {
    const { page } = await suite.visit({ dark });
    await openMap(page, `/?view=49.5,10,${zoom}`);
    await expect.poll(() => inViewOf(page)).toBeGreaterThan(0);
    await resolved(page);
    expect(await shareOfBlobs(page)).toBeLessThan(0.05);
    await page.evaluate(() => { // a blob is counted
      const canvas = document.querySelector('.leaflet-network-pane canvas') as HTMLCanvasElement;
      const copy = canvas.cloneNode() as HTMLCanvasElement;
      const context = copy.getContext('2d')!;
      context.drawImage(canvas, 0, 0);
      context.fillStyle = '#0060a8';
      context.fillRect(0, 0, canvas.width / 2, canvas.height / 2);
      canvas.replaceWith(copy);
    });
    expect(await shareOfBlobs(page)).toBeGreaterThan(0.2);
  });

  it('joins what lies too close', async () => {
    const { page } = await suite.visit();
    await openMap(page, '/?view=49.5,10,4');
    await expect.poll(() => inViewOf(page)).toBeGreaterThan(0);
    expect(await inViewOf(page)).toBeLessThan(80);
  });

  it('is saved as a picture of what the window shows', async () => {
    const { page } = await suite.visit();
    await openMap(page, '/?view=49.5,10,6');
    await expect.poll(() => inViewOf(page)).toBeGreaterThan(0);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a picture' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('map.png');
    const file = await download.createReadStream();
    const parts: Buffer[] = [];
    for await (const part of file) parts.push(part as Buffer);
    const picture = Buffer.concat(parts);
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    const box = (await page.locator('.chart').boundingBox())!;
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([2 * box.width, 2 * box.height]);
  });

  it('says where the pointer is, and how long a kilometre', async () => {
    const { page } = await suite.visit();
    await openMap(page, '/?view=49.5,10,6');
    const box = (await page.locator('.chart').boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await expect.poll(() => page.locator('.map-foot .place').textContent()).toMatch(/^49\.\d{4}° N, (9\.9|10\.0)\d{3}° E$/);
    expect(await page.locator('.leaflet-control-scale-line').textContent()).toMatch(/^\d+ km$/);
  });

  it('fills the screen, and leaves it again', async () => {
    const { page } = await suite.visit();
    await openMap(page);
    const full = page.getByRole('button', { name: 'Full screen' });
    await full.click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement?.className)).toContain('netml-map');
    await full.click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
  });
}, { data: crowd });
