// The changes of the map as they come: filtered, opened, paused, after a restart of the node, and where the
// history is another one.
import { expect, inject, it } from 'vitest';
import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import { call, numberOf, signIn, visit } from '../support/browser.ts';
import { exampleFile } from '../support/example_file.ts';
import { copyOf, serve } from '../support/node.ts';
import { browserSuite } from '../support/suite.ts';

const rows = (page: Page) => page.locator('table.live tbody tr');
const state = (page: Page, text: string) => page.locator('.heading').getByRole('status').getByText(text, { exact: true });

async function open(page: Page, search = ''): Promise<void> {
  await page.goto(`/admin/changes/${search}`);
  await state(page, 'Connected').waitFor();
}

// As somebody else does it meanwhile.
async function rename(page: Page, list: string, words: string, name: string): Promise<void> {
  const path = `${list}/${await numberOf(page, list, words)}`;
  const { body } = await call(page, 'GET', path);
  expect((await call(page, 'PUT', path, { ...body, name })).status).toBe(200);
}

browserSuite('live changes', (suite) => {
  it('come by themselves, are filtered, and lead to element and transaction', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await open(page);
    await page.getByText('Waiting for changes.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await rename(page, 'nodes', 'pisa', 'Pisa 2');
    await rows(page).filter({ hasText: 'Name: Pisa → Pisa 2' }).waitFor();
    await rename(page, 'institutions', 'southern', 'Universities of the South');
    await rows(page).first().filter({ hasText: 'Universities of the South' }).waitFor(); // the newest is the first
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Institution');
    await page.waitForURL(/kind=Institution/);
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('combobox', { name: 'Why' }).selectOption('Import');
    await page.getByText('No match.').waitFor();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('');
    await page.getByRole('combobox', { name: 'Why' }).selectOption('Edit');
    await expect.poll(() => rows(page).count()).toBe(2);
    await shot('live_changes');
    await rows(page).last().getByRole('link').last().click();
    await page.getByRole('heading', { name: /^Edit: LSN \d+$/ }).waitFor();
    await open(page, '?after=0&kind=Node&cause=edit');
    await rows(page).filter({ hasText: 'Pisa 2' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'History: Pisa 2' }).waitFor();
    await page.getByRole('link', { name: 'Show the record' }).click();
    await expect.poll(() => page.locator('#field-name').inputValue()).toBe('Pisa 2');
  });

  it('wait while the list is paused, and are all there when it goes on', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await open(page);
    await rename(page, 'nodes', 'bari', 'Bari 2');
    await rows(page).filter({ hasText: 'Bari 2' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await state(page, 'Paused').waitFor();
    const { page: other } = await suite.visit({ as: 'viewer' });
    await open(other);
    for (const name of ['Lecce 2', 'Lecce 3']) { // two, as the first may come here a moment later than there
      await rename(page, 'nodes', 'lecce', name);
      await rows(other).first().filter({ hasText: `→ ${name}` }).waitFor();
    }
    expect(await rows(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Go on' }).click();
    await rows(page).first().filter({ hasText: 'Lecce 3' }).waitFor();
    await expect.poll(() => rows(page).count()).toBe(3);
  });

  it('begin at a place that the address names, at most so many of them', async () => {
    const { page, shot } = await suite.visit({ as: 'viewer', dark: true });
    await open(page, '?after=0');
    await rows(page).first().waitFor();
    await expect.poll(() => rows(page).count()).toBeGreaterThan(50);
    expect(await rows(page).count()).toBeLessThanOrEqual(200);
    expect(await axeFindings(page)).toEqual([]);
    await shot('live_changes_dark');
  });

  it('say where the history is another one', async () => {
    const { page } = await suite.visit({ as: 'viewer' });
    await open(page, '?after=999999');
    await page.getByRole('alert').filter({ hasText: 'The history of this node is another one now' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('go on from where they stood after the node was away', async () => {
    const data = copyOf(inject('example'));
    const remove = data.remove.bind(data);
    data.remove = () => undefined; // not before the second one has served it
    const first = await serve(data);
    const { page, close, faults } = await visit(suite.browser, first.url);
    try {
      await signIn(page);
      await open(page);
      await first.close();
      await state(page, 'Connection lost. Trying again …').waitFor();
      data.import('example_2012.xml', exampleFile(2012).replaceAll('>Pisa<', '>Pisa 3<'), '--root');
      const second = await serve(data, '--listen', new URL(first.url).host);
      await rows(page).filter({ hasText: 'Pisa → Pisa 3' }).waitFor({ timeout: 60_000 });
      await state(page, 'Connected').waitFor();
      await second.close();
      expect(faults).toEqual([]);
    } finally {
      await close();
      remove();
    }
  });
});
