// An import of some thousand elements before it is applied: its list in groups, its map, and pictures
// of that.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import { crowdFile, nodesOfEach } from '../support/crowd_file.ts';
import { clickAt, inViewOf, resolved } from '../support/map_page.ts';
import { Data } from '../support/node.ts';
import { complete, tabTo } from '../support/page_state.ts';
import { holdAnswers } from '../support/held_answers.ts';
import { browserSuite } from '../support/suite.ts';
import { drop } from './steps.ts';

const crowd = () => {
  const data = new Data();
  data.import('crowd.xml', crowdFile(), '--root');
  data.addAccounts();
  return data;
};

// Network 0 gets another identifier for each node and link, so that all of them go and come elsewhere;
// one node of network 1 moves, one of network 2 gets another name.
function changedFile(): string {
  return crowdFile().replace(/urn:crowd:0:(node|link):/g, 'urn:crowd:0:new:$1:')
    .replace(/(urn:crowd:0:new:node:.*?<grenml:lat>)4/g, '$15')
    .replace(/(City 1-3<.*?<grenml:lat>)[\d.]+/, '$155.7').replace('City 2-3<', 'Town 2-3<');
}

async function plan(page: Page): Promise<void> {
  await page.goto('/admin/file-imports/');
  await drop(page, 'changed.xml', changedFile());
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page.locator('.change-groups').waitFor();
  await drawn(page);
}

async function drawn(page: Page): Promise<void> {
  await legend(page).getByRole('button').first().waitFor();
  await resolved(page);
}

const legend = (page: Page) => page.locator('.netml-map').getByRole('region', { name: 'Legend' });
const row = (page: Page, name: string) => legend(page).getByRole('button', { name });
const topology = (page: Page, name: string) => page.locator('.of-topology').filter({ has: page.locator('summary').getByText(name, { exact: true }) });
const elements = 2 * nodesOfEach - 1;

browserSuite('a large plan', (suite) => {
  it('is a list of few groups, each with its number and a few names', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await plan(page);
    const first = topology(page, 'Network 0');
    await expect.poll(() => first.locator('.change-group > summary').allTextContents()).toEqual([
      `Added${nodesOfEach} nodes City 0-0, City 0-1, City 0-10, …`, `Added${nodesOfEach - 1} links Link 0-1, Link 0-10, Link 0-11, …`,
      `Removed${nodesOfEach} nodes City 0-0, City 0-1, City 0-10, …`, `Removed${nodesOfEach - 1} links Link 0-1, Link 0-10, Link 0-11, …`]);
    await expect.poll(() => first.locator('.signs').first().textContent()).toContain(`+${elements}`);
    await topology(page, 'Network 2').getByText('1 node', { exact: true }).waitFor();
    expect(await page.locator('.changes-list').count()).toBe(0); // all are closed
    await shot('plan_groups');
  });

  it('shows the elements of a group when it is opened with the keyboard, page by page', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.setViewportSize({ width: 1440, height: 1000 });
    await plan(page);
    await tabTo(page, '.change-group.created > summary');
    await page.keyboard.press('Enter');
    const lines = topology(page, 'Network 0').locator('.changes-list > li');
    await expect.poll(() => lines.count()).toBe(nodesOfEach);
    await lines.first().locator('summary').click();
    await lines.first().getByRole('rowheader', { name: 'Place' }).waitFor();
    await page.evaluate(() => { scrollTo(0, 0); }); // a link half below the header that stays is no small one
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('is drawn over the map: what comes, goes and changes, each with a mark and a count that filters', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await plan(page);
    expect(await legend(page).locator('li').allTextContents()).toEqual([`Comes${elements}`, `Goes${elements}`, 'Changes or moves2']);
    await expect.poll(() => inViewOf(page)).toBeGreaterThanOrEqual(2 * nodesOfEach + 2); // what differs is no part of a crowd
    const all = await inViewOf(page);
    await row(page, 'Goes').click();
    await expect.poll(() => inViewOf(page)).toBeLessThanOrEqual(all - nodesOfEach); // what comes is not there
    expect(await row(page, 'Goes').getAttribute('aria-pressed')).toBe('true');
    await resolved(page);
    await page.getByRole('button', { name: 'Show what changes' }).click();
    await row(page, 'Goes').focus();
    await page.keyboard.press('Space');
    expect(await row(page, 'Goes').getAttribute('aria-pressed')).toBe('false');
  });

  it.each([[390, false], [1440, false], [1440, true], [2560, false]])('fits a window of %d pixels (dark: %s)', async (width, dark) => {
    const { page, shot } = await suite.visit({ as: 'admin', width, dark, height: width > 2000 ? 1300 : 900 });
    await plan(page);
    await complete(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('.planned').scrollIntoViewIfNeeded();
    await resolved(page);
    await shot(`plan_map_${width}${dark ? '_dark' : ''}`);
  });

  it('is saved as SVG, with legend, scale and attribution', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await plan(page);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as SVG' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('map.svg');
    const parts: Buffer[] = [];
    for await (const part of await download.createReadStream()) parts.push(part as Buffer);
    const file = Buffer.concat(parts).toString();
    const read = await page.evaluate((text) => {
      const picture = new DOMParser().parseFromString(text, 'image/svg+xml');
      return {
        root: picture.documentElement.nodeName, width: picture.documentElement.getAttribute('width'), paths: picture.querySelectorAll('path').length,
        texts: [...picture.querySelectorAll('text')].map((one) => one.textContent),
      };
    }, file);
    const box = (await page.locator('.chart').boundingBox())!;
    expect(read.root).toBe('svg');
    expect(Number(read.width)).toBeCloseTo(box.width, -1);
    expect(read.paths).toBeGreaterThan(10);
    expect(read.texts).toEqual(expect.arrayContaining([`Comes: ${elements}`, `Goes: ${elements}`, 'Changes or moves: 2', 'Natural Earth', expect.stringMatching(/^\d+ km$/)]));
  });

  it('may come too late: the page was left meanwhile', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    const drawing = await holdAnswers(page, /\/map\?at=/);
    await page.goto('/admin/file-imports/');
    await drop(page, 'changed.xml', changedFile());
    await page.getByRole('button', { name: 'Preview import' }).click();
    await expect.poll(drawing.isAsked).toBe(true);
    await page.locator('.planned-map .chart').waitFor();
    await page.locator('#sections').getByRole('link', { name: 'Activity' }).click();
    await page.locator('.planned-map').waitFor({ state: 'detached' });
    await drawing.letGo();
    await page.evaluate(() => new Promise((done) => { setTimeout(done, 50); })); // nothing that was painted is painted again
  });

  it('can still be applied, and the undo of it is drawn in its dialog', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await plan(page);
    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.locator('.notice', { hasText: 'The import is complete.' }).getByRole('button', { name: 'Undo' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo this change?' });
    await dialog.locator('.on-map > summary').click();
    await drawn(page);
    await shot('undo_map');
    expect(await axeFindings(page)).toEqual([]);
    await clickAt(page, 50, 10); // no panel opens, and nothing breaks
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });
}, { data: crowd });
