// Institutions, nodes, links and topologies: find, add, change, delete, history.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { call, numberOf } from '../support/browser.ts';
import { holdAnswers } from '../support/held_answers.ts';
import { focusIsOn } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';
import { deleteHere, pick, save } from './steps.ts';

// Puts text into a field at once, as the event says.
const put = (page: Page, fields: [selector: string, text: string, event: string][]) => page.evaluate((all) => {
  for (const [selector, text, event] of all) {
    const input = document.querySelector<HTMLInputElement>(selector)!;
    input.value = text;
    input.dispatchEvent(new Event(event, { bubbles: true }));
  }
}, fields);

const firstCells = (page: Page) => page.locator('tbody td:nth-child(3)').allTextContents();

browserSuite('records', (suite) => {
  it('are searched, filtered and sorted by the server, and the address keeps it', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/nodes/');
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.waitForURL(/sort=name/);
    await page.locator('th[aria-sort=ascending]', { hasText: 'Name' }).waitFor();
    await shot('nodes');
    await page.getByRole('searchbox', { name: 'Search' }).fill('catan');
    await page.waitForURL(/q=catan/);
    await expect.poll(() => firstCells(page)).toEqual(['Catania']);
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await pick(page, 'Topology', 'Southern Region');
    await page.waitForURL(/topology=\d+/);
    await expect.poll(async () => (await firstCells(page)).filter((name) => name === 'Napoli' || name === 'Milano')).toEqual(['Napoli']);
    await page.reload();
    await page.locator('.chip', { hasText: 'Southern Region' }).waitFor();
  });

  it('keep each filter when another one changes before the words of a search count', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/nodes/');
    await page.locator('tbody tr').first().waitFor();
    await put(page, [['input[type=search]', 'roma', 'input'], ['.filter > input[type=text]', 'SREN', 'change']]);
    await page.waitForURL(/q=roma/);
    await expect.poll(() => new URL(page.url()).searchParams.get('tag')).toBe('SREN');
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('roma');
  });

  it('take no words that were typed to another page', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.clock.install();
    await page.goto('/admin/nodes/');
    await page.locator('tbody tr').first().waitFor();
    await put(page, [['input[type=search]', 'roma', 'input']]);
    await page.locator('#sections').getByRole('link', { name: 'Links', exact: true }).dispatchEvent('click', { button: 0 });
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    await page.clock.runFor(1000);
    await expect.poll(() => page.evaluate(() => location.pathname + location.search)).toBe('/admin/links/');
  });

  it('leave what is typed to a filter while they are loaded, and show what was looked for last', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    const held = await holdAnswers(page, /\/nodes\?.*q=roma/);
    const older = await holdAnswers(page, /\/nodes\?.*q=bari/);
    await page.goto('/admin/nodes/');
    await page.locator('tbody tr').first().waitFor();
    const search = page.getByRole('searchbox', { name: 'Search' });
    const tag = page.locator('.filter > input[type=text]').first();
    await search.fill('roma');
    await expect.poll(held.isAsked).toBe(true);
    await tag.pressSequentially('SR');
    await held.letGo();
    await expect.poll(() => firstCells(page)).toEqual(['Roma']);
    expect(await tag.inputValue()).toBe('SR');
    await tag.fill('');
    await search.fill('bari');
    await expect.poll(older.isAsked).toBe(true);
    await search.fill('milano');
    await expect.poll(() => firstCells(page)).toEqual(['Milano']);
    await older.letGo();
    expect(await firstCells(page)).toEqual(['Milano']);
  });

  it('keep what a search box chooses while they are saved', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/nodes/');
    const node = await numberOf(page, 'nodes', 'bologna');
    await page.goto(`/admin/nodes/${node}/`);
    const choices = await holdAnswers(page, /\/choices\/institutions\?q=southern/);
    const saving = await holdAnswers(page, /\/nodes\/\d+/, 'PUT');
    await page.getByRole('combobox', { name: 'Owners' }).fill('southern');
    await page.keyboard.press('Enter');
    await page.getByLabel('Short name').fill('BLQ');
    await page.getByRole('button', { name: 'Save and continue editing' }).click();
    await expect.poll(saving.isAsked).toBe(true);
    await choices.letGo();
    await saving.letGo();
    await page.getByText('Saved: Bologna').waitFor();
    await page.locator('.chip', { hasText: 'Southern Universities' }).waitFor();
    await save(page, 'Bologna');
    const { body } = await call(page, 'GET', `nodes/${node}`);
    expect(body).toMatchObject({ short_name: 'BLQ', owners: [{}, { name: 'Southern Universities' }] });
  });

  it('hold still while they are saved', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/nodes/');
    const node = await numberOf(page, 'nodes', 'pisa');
    await page.goto(`/admin/nodes/${node}/`);
    const held = await holdAnswers(page, /\/nodes\/\d+/, 'PUT');
    await page.getByLabel('Address').fill('Piazza dei Miracoli');
    await page.getByRole('button', { name: 'Save and continue editing' }).click();
    await expect.poll(held.isAsked).toBe(true);
    expect(await page.getByLabel('Short name').isDisabled()).toBe(true);
    await held.letGo();
    await page.getByText('Saved: Pisa').waitFor();
    await focusIsOn(page.getByRole('button', { name: 'Save and continue editing' }));
    await page.getByLabel('Short name').fill('PSA'); // on what was loaded anew
    await save(page, 'Pisa');
    const { body } = await call(page, 'GET', `nodes/${node}`);
    expect(body).toMatchObject({ address: 'Piazza dei Miracoli', short_name: 'PSA' });
  });

  it('are added with owners and topologies from search boxes, changed, and have a history', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/nodes/');
    await page.getByRole('link', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('This field is required.').first().waitFor();
    await page.getByLabel('Name *', { exact: true }).fill('Siena');
    await pick(page, 'Owners', 'Example Research Network');
    await pick(page, 'Topologies', 'Example Research Network');
    await page.getByLabel('Latitude').fill('143');
    await page.getByLabel('Longitude').fill('11.33');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('This number is out of range.').waitFor();
    await page.getByLabel('Latitude').fill('43.32');
    await page.getByText('This number is out of range.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add: Properties' }).click();
    await page.getByLabel('Name 1').fill('tag');
    await page.getByLabel('Value 1').fill('SREN');
    await shot('node_add');
    await page.getByRole('button', { name: 'Save and continue editing' }).click();
    await page.getByText('Saved: Siena').waitFor();
    await page.waitForURL(/\/admin\/nodes\/\d+\//);
    await page.getByLabel('Address').fill('Piazza del Campo');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.waitForURL(/\/admin\/nodes\/$/);
    await page.getByRole('searchbox', { name: 'Search' }).fill('siena');
    await expect.poll(() => firstCells(page)).toEqual(['Siena']);
    await page.locator('tbody a').first().click();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('Piazza del Campo').waitFor();
    await shot('history');
  });

  it('are deleted as previewed, or previewed again', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/nodes/');
    const node = await numberOf(page, 'nodes', 'trieste');
    await page.goto(`/admin/nodes/${node}/`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete?' });
    await dialog.getByText('This will be deleted:').waitFor();
    await dialog.locator('button.danger:enabled').waitFor();
    const { body } = await call(page, 'GET', `links?node=${node}`);
    await call(page, 'DELETE', `links/${body!.items[0]!.number}`);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('The map has changed since the preview. This is what would happen now.').waitFor();
    await shot('delete_moved');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted: Trieste and 1 link').waitFor();
  });

  it('tell what goes with them before they are deleted', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/nodes/?q=trento');
    await page.getByRole('link', { name: 'urn:example:node:trento' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 link', { exact: true }).waitFor();
    await shot('delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted: Trento and 1 link').waitFor();
    await page.goto('/admin/nodes/?q=trento');
    await page.getByText('No match.').waitFor();
  });

  it('are refused when somebody else has changed them meanwhile', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/nodes/?q=pisa');
    await page.getByRole('link', { name: 'urn:example:node:pisa' }).click();
    await page.locator('#field-address').fill('first');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator('#field-address').fill('second');
    await other.getByRole('button', { name: 'Done' }).click();
    await other.waitForURL(/\/admin\/nodes\/$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Somebody else has changed this record.').waitFor();
  });

  it('links join two different nodes', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/links/add/');
    await page.locator('#field-name').fill('A new link');
    await pick(page, 'Node A', 'Roma');
    await pick(page, 'Node B', 'Roma');
    await pick(page, 'Owners', 'Example Research Network');
    await pick(page, 'Topologies', 'Example Research Network');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('A link joins two different nodes.').waitFor();
    await page.locator('.field', { hasText: 'Node B' }).getByRole('button', { name: 'Remove Roma' }).click();
    await pick(page, 'Node B', 'Lecce');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Saved: A new link').waitFor();
    await shot('links');
    await page.getByRole('searchbox', { name: 'Search' }).fill('a new link');
    await page.waitForURL(/q=a/);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.locator('tbody a').first().click();
    await page.locator('#field-short_name').fill('NEW');
    await save(page, 'A new link');
    await page.goto('/admin/links/?q=a+new+link');
    await page.getByRole('cell', { name: 'NEW', exact: true }).waitFor();
    await page.locator('tbody a').first().click();
    await deleteHere(page);
  });

  it('topologies: one is marked as main, and exactly one', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/topologies/');
    await shot('topologies');
    const mark = async () => {
      await page.getByLabel('Action').selectOption('Mark one topology as main');
      await page.getByRole('button', { name: 'Go', exact: true }).click();
    };
    await page.getByLabel('Select all').check();
    await mark();
    await page.getByText('Select exactly one topology.').waitFor();
    await page.reload();
    await page.getByLabel('Select Southern Region').check();
    await mark();
    await page.getByText('Southern Region is the main topology now.').waitFor();
  });

  it('topologies: added with parent, owner and properties, changed, deleted with what they contain', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/topologies/add/');
    await page.locator('#field-name').fill('Island Region');
    await pick(page, 'Parent', 'Example Research Network');
    await pick(page, 'Owner', 'Southern Universities');
    await page.getByRole('button', { name: 'Add: Properties' }).click();
    await page.getByLabel('Name 1').fill('url');
    await page.getByLabel('Value 1').fill('https://islands.example/');
    await shot('topology_add');
    await save(page, 'Island Region');
    await page.goto('/admin/institutions/add/');
    await page.locator('#field-name').fill('University of the Islands');
    await pick(page, 'Topologies', 'Island Region');
    await page.getByLabel('Latitude').fill('40');
    await page.getByLabel('Longitude').fill('9');
    await save(page, 'University of the Islands');
    await page.goto('/admin/topologies/?q=island');
    await page.locator('tbody a').first().click();
    await expect.poll(() => page.getByLabel('Value 1').inputValue()).toBe('https://islands.example/');
    await page.locator('#field-name').fill('Isles');
    await save(page, 'Isles');
    await page.goto('/admin/topologies/?q=isles');
    await page.locator('tbody a').first().click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('1 institution', { exact: true }).waitFor();
    await page.getByRole('dialog').getByText('University of the Islands').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted: Isles and 1 institution').waitFor();
    await page.goto('/admin/institutions/?q=islands');
    await page.getByText('No match.').waitFor();
  });

  it('institutions: changed, with what others have of them', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/institutions/?q=northern');
    await page.locator('tbody a').first().click();
    await page.locator('#field-name').fill('Northern Laboratory');
    await page.getByRole('button', { name: 'Save and continue editing' }).click();
    await page.getByText('Saved: Northern Laboratory').waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('ins', { hasText: 'Northern Laboratory' }).waitFor();
  });

  it('institutions: several are deleted at once', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    for (const name of ['Temporary one', 'Temporary two']) {
      await page.goto('/admin/institutions/add/');
      await page.locator('#field-name').fill(name);
      await pick(page, 'Topologies', 'Example Research Network');
      await page.getByLabel('Latitude').fill('1');
      await page.getByLabel('Longitude').fill('2');
      await page.getByRole('button', { name: 'Done' }).click();
      await page.waitForURL(/\/admin\/institutions\/$/);
    }
    await page.goto('/admin/institutions/?q=temporary');
    await page.getByLabel('Select all').check();
    await shot('institutions');
    await page.getByLabel('Action').selectOption('Delete selected');
    await page.getByRole('button', { name: 'Go', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted: 2 institutions').waitFor();
  });
});
