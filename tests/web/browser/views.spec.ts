// Views: bound to tokens, and previewed while they are typed, on two maps that move together.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import { call, numberOf } from '../support/browser.ts';
import { complete, tabTo } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';
import { save } from './steps.ts';

interface ChartHandle {
  viewText: string;
  isPainting: boolean;
  inView: number;
}

async function openView(page: Page, name: string): Promise<void> {
  await page.goto('/admin/views/');
  await page.locator('tbody').getByRole('link', { name, exact: true }).click();
  await drawn(page);
}

// Of both charts, from left to right.
const charts = <T>(page: Page, what: keyof ChartHandle) => page.locator('.two-maps .chart').evaluateAll((elements, name) =>
  elements.map((element) => (element as unknown as { netmlChart?: ChartHandle }).netmlChart?.[name]), what) as Promise<T[]>;

async function drawn(page: Page): Promise<void> {
  await expect.poll(async () => (await charts<number>(page, 'inView')).filter((count) => count > 0).length).toBe(2);
  await expect.poll(() => charts<boolean>(page, 'isPainting')).toEqual([false, false]);
  await page.locator('.two-maps .working-line').first().waitFor({ state: 'detached' });
}

async function type(page: Page, steps: object[]): Promise<void> {
  await page.locator('#field-view').fill(JSON.stringify({ steps }, null, 2));
}

const rowOf = (page: Page, kind: string) => page.locator('.view-preview .numbers tr', { has: page.getByRole('rowheader', { name: kind }) }).locator('td');
const counts = (page: Page) => page.locator('.view-preview .counts li').allTextContents();

browserSuite('views', (suite) => {
  it('are bound to polling tokens, whose list leads to them', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/tokens/add/');
    await page.getByLabel('Client name').fill('Partner');
    await page.locator('#field-view').selectOption('Public');
    await page.getByLabel('Token type').selectOption('import');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('An import token sees nothing of the map: choose none.').waitFor();
    await page.getByLabel('Token type').selectOption('polling');
    await page.getByRole('button', { name: 'Done' }).click();
    const dialog = page.getByRole('dialog', { name: 'Token of Partner' });
    const value = await dialog.locator('code').textContent();
    await page.keyboard.press('Escape');
    await page.locator('tr', { hasText: 'Partner' }).getByRole('link', { name: 'Public' }).waitFor();
    await complete(page);
    expect(await axeFindings(page)).toEqual([]);
    await shot('tokens_with_view');
    const map = await (await fetch(`${suite.node.url}/netml_export/`, { headers: { Authorization: `Bearer ${value}` } })).text();
    expect(map).toContain('urn:example:node:milano');
    expect(map).not.toContain('urn:example:node:roma"');
    await page.getByRole('link', { name: 'Public' }).click();
    await expect.poll(() => page.locator('#field-name').inputValue()).toBe('Public');
    await page.goto('/admin/tokens/?q=partner');
    await page.getByRole('link', { name: 'Partner' }).click();
    await expect.poll(() => page.locator('#field-view option:checked').textContent()).toBe('Public');
    await page.locator('#field-view').selectOption('All of the map');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('tr', { hasText: 'Partner' }).getByRole('cell', { name: '–', exact: true }).waitFor();
  });

  it('show beside all of the map what is seen of it, in numbers and one by one', async () => {
    const { page, shot } = await suite.visit({ as: 'viewer', height: 1500 });
    await openView(page, 'Public');
    const [all, seen] = await charts<number>(page, 'inView');
    expect(seen).toBeLessThan(all!);
    await expect.poll(() => rowOf(page, 'Nodes').allTextContents()).toEqual(['26', '25']);
    expect((await counts(page))[0]).toMatch(/^\d+ hidden$/);
    expect(await counts(page)).toContainEqual(expect.stringMatching(/^Place: \d+$/));
    await page.locator('.differences tr', { hasText: 'Milano' }).filter({ hasText: 'Place: 45.464' }).first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await shot('view_preview');
  });

  it('are previewed again as they are typed, and nothing is saved', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await openView(page, 'Public');
    await type(page, [{ drop: { kind: 'link' } }]);
    await expect.poll(() => rowOf(page, 'Links').last().textContent()).toBe('0');
    await type(page, []);
    await page.getByText('All is seen as it is.').waitFor();
    await type(page, [{ drop: { tagg: 'x' } }]);
    await page.getByRole('alert').filter({ hasText: 'tagg' }).waitFor();
    await page.getByText('All is seen as it is.').waitFor(); // of the last that could be read
    await page.locator('#field-view').fill('{"steps":'); // of which nothing is asked
    await type(page, [{ collapse: { to: 'owner' } }]);
    await expect.poll(() => counts(page)).toContainEqual(expect.stringMatching(/^\d+ stands? for others$/));
    const { body } = await call(page, 'GET', `views/${await numberOf(page, 'views', 'Public')}`);
    expect(JSON.stringify(body)).toContain('round');
  });

  it('are previewed before they are stored for the first time, and held against one another', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/views/add/');
    await page.getByText('All is seen as it is.').waitFor();
    await type(page, [{ keep: { topology: 'urn:example:topology:south' } }]);
    await page.locator('.view-preview .counts .deleted').waitFor();
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('Public');
    await page.locator('figcaption', { hasText: 'Public' }).waitFor();
    await expect.poll(() => rowOf(page, 'Nodes').first().textContent()).not.toBe('26');
    await drawn(page);
    expect(await axeFindings(page)).toEqual([]);
    await shot('view_against');
    await page.locator('#field-name').fill('South');
    await save(page, 'South');
  });

  it('move both maps by the keyboard', async () => {
    const { page } = await suite.visit({ as: 'viewer' });
    await openView(page, 'Public');
    const [before] = await charts<string>(page, 'viewText');
    await tabTo(page, '.two-maps figure:last-child .chart');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('+');
    await expect.poll(async () => {
      const [left, right] = await charts<string>(page, 'viewText');
      return left === right && left !== before;
    }).toBe(true);
  });

  it.each([[390, false], [1440, true], [2560, false]])('fit a window of %d pixels (dark: %s)', async (width, dark) => {
    const { page, shot } = await suite.visit({ as: 'viewer', width, dark, height: 1100 });
    await openView(page, 'Public');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    const [left, right] = await page.locator('.two-maps figure').evaluateAll((figures) => figures.map((figure) => figure.getBoundingClientRect().top));
    expect(left === right).toBe(width > 400); // one below the other on a phone
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('.view-preview').scrollIntoViewIfNeeded();
    await shot(`view_preview_${width}${dark ? '_dark' : ''}`);
  });
});
