// What makes long lists and forms bearable: filters with names, columns to choose, the list as CSV,
// one change of many records, rows pasted from a sheet, and a question before work is lost.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import { call, numberOf } from '../support/browser.ts';
import { complete } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';
import { pick } from './steps.ts';

const heads = (page: Page) => page.locator('thead th').allTextContents();
const open = (page: Page, menu: string) => page.locator('summary', { hasText: menu }).click();

browserSuite('desk', (suite) => {
  it('asks before a changed form is left, and says what would be lost', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/nodes/?q=roma');
    await page.locator('tbody a').first().click();
    await page.locator('#field-address').fill('Via Appia');
    const toLinks = page.locator('#sections').getByRole('link', { name: 'Links', exact: true });
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await toLinks.click();
    await dialog.getByText('Address').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await shot('leave');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.goBack();
    await dialog.waitFor();
    await page.waitForURL(/\/admin\/nodes\/\d+\//);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('#field-address').inputValue()).toBe('Via Appia');
    await page.goBack();
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.waitForURL(/\/admin\/nodes\/\?q=roma/);
    await page.locator('tbody a').first().click();
    await expect.poll(() => page.locator('#field-address').inputValue()).not.toBe('Via Appia');
    await toLinks.click(); // nothing was changed: nothing is asked
    await page.waitForURL(/\/admin\/links\//);
  });

  it('asks before a tab with a changed form is closed', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/nodes/add/');
    await page.locator('#field-name').fill('Half a node');
    const asked = page.waitForEvent('dialog');
    void page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await page.locator('#field-name').fill('');
  });

  it('keeps filters by name', async () => {
    const { page, shot } = await suite.visit({ as: 'viewer' });
    await page.goto('/admin/nodes/');
    await page.getByRole('searchbox', { name: 'Search' }).fill('catan');
    await page.waitForURL(/q=catan/);
    await open(page, 'Saved filters');
    await page.getByRole('textbox', { name: 'Name of the filter' }).fill('Sicily');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Sicily' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await shot('saved_filters');
    await page.goto('/admin/nodes/');
    await open(page, 'Saved filters');
    await page.getByRole('link', { name: 'Sicily' }).click();
    await page.waitForURL(/q=catan/);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: 'Remove Sicily' }).click();
    await page.getByRole('link', { name: 'Sicily' }).waitFor({ state: 'detached' });
  });

  it('shows the columns that are chosen, and exports them for all rows that are found', async () => {
    const { page, shot } = await suite.visit({ as: 'viewer' });
    await page.goto('/admin/nodes/?q=na&sort=name');
    await complete(page);
    await open(page, 'Columns');
    await page.getByRole('checkbox', { name: 'Short name' }).uncheck();
    await page.getByRole('checkbox', { name: 'Latitude' }).check();
    await expect.poll(() => heads(page)).toEqual(['NetML ID', 'Name', 'Owners', 'Topologies', 'Latitude']);
    await shot('columns');
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Latitude' }).waitFor({ state: 'hidden' });
    await open(page, 'Columns');
    await page.getByRole('heading', { name: 'Nodes', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Latitude' }).waitFor({ state: 'hidden' });
    await page.reload();
    await expect.poll(() => heads(page)).toContain('Latitude');
    await complete(page);
    const names = await page.locator('tbody td:nth-child(2)').allTextContents();
    const begun = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const file = await begun;
    expect(file.suggestedFilename()).toBe('nodes.csv');
    const [head, ...rows] = readFileSync((await file.path())!, 'utf8').trimEnd().split('\r\n');
    expect(head).toBe('\uFEFFNetML ID,Name,Owners,Topologies,Latitude');
    expect(rows.map((row) => row.split(',')[1])).toEqual(names);
    await page.getByText(`${names.length} of ${names.length} rows exported.`).waitFor();
  });

  it('has menus that fit a narrow window', async () => {
    const { page, shot } = await suite.visit({ as: 'viewer', width: 390, height: 800 });
    await page.goto('/admin/nodes/');
    await complete(page);
    for (const menu of ['Saved filters', 'Columns']) {
      await open(page, menu);
      const panel = (await page.locator('.menu[open] .panel').boundingBox())!;
      expect([panel.x >= 0, panel.x + panel.width <= 390], menu).toEqual([true, true]);
    }
    await shot('columns_narrow');
  });

  it('changes several records as one, exactly as previewed, and undoes it', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/nodes/?sort=name');
    await complete(page);
    await page.getByLabel('Select all').check();
    const count = await page.locator('tbody tr').count();
    await page.getByLabel('Action').selectOption('Change selected');
    await page.getByRole('button', { name: 'Go', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Change ${count} records` });
    await dialog.getByLabel('Field').selectOption('Properties');
    await dialog.getByRole('button', { name: 'Add: Properties' }).click();
    await dialog.getByLabel('Name 1').fill('maintenance');
    await dialog.getByLabel('Value 1').fill('2027-01-10');
    expect(await axeFindings(page)).toEqual([]);
    await shot('bulk_edit');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText(`${count} would change`).waitFor();
    await shot('bulk_edit_preview');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    const notice = page.locator('.notice', { hasText: `${count} records changed` });
    await notice.waitFor();
    const one = await numberOf(page, 'nodes', 'catania');
    const item = async () => JSON.stringify((await call(page, 'GET', `nodes/${one}`)).body);
    expect(await item()).toContain('2027-01-10');
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog', { name: 'Undo this change?' }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(item).not.toContain('2027-01-10');
  });

  it('refuses a change of several that one of them cannot bear', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/nodes/?q=catan');
    await page.getByLabel('Select all').check();
    await page.getByLabel('Action').selectOption('Change selected');
    await page.getByRole('button', { name: 'Go', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field').selectOption('Owners');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('This field is required.').waitFor();
    await dialog.getByLabel('Action').selectOption('Set');
    await dialog.getByLabel('Field').selectOption('Version');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('This field is required.').waitFor();
    await dialog.getByLabel('Field').selectOption('End');
    await dialog.locator('#field-end').fill('2020-01-01T00:00:00');
    await dialog.locator('#field-end').dispatchEvent('change');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('alert').waitFor();
  });

  it('takes rows that are pasted from a sheet as an import of values, planned first', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/file-imports/');
    await page.getByText('Paste rows from a sheet').click();
    await page.getByLabel('Rows with their headings').fill('identifier\taddress\nurn:example:node:lecce\tPiazza Duomo 1\n');
    await pick(page, 'Topology', 'Example Research Network');
    await shot('pasted');
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText('1 would change').waitFor();
    await page.locator('.changes-list summary', { hasText: 'Lecce' }).click();
    await page.getByText('Piazza Duomo 1').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    const rows = page.getByLabel('Rows with their headings');
    await expect.poll(() => rows.inputValue()).toContain('lecce');
    await page.locator('#sections').getByRole('link', { name: 'Links', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByText('Rows that were pasted').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await rows.fill('');
    await page.getByText('Drop a file here, or').waitFor();
    expect(await page.getByLabel('Format').inputValue()).toBe('');
  });

  it('asks for the mapping of a NetBox, and of nothing else', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/file-imports/');
    const mapping = page.getByLabel('Mapping', { exact: true });
    await page.getByLabel('Format').selectOption('csv');
    expect(await mapping.count()).toBe(0);
    await page.getByLabel('Format').selectOption('netbox');
    await mapping.fill('nodes=place');
    const dump = [{ model: 'dcim.site', pk: 1, fields: { name: 'Roma', slug: 'roma', status: 'active' } }];
    await page.locator('#file').setInputFiles({ name: 'netbox.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(dump)) });
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.locator('.notice.error', { hasText: 'place' }).waitFor();
  });

  it('says in lists whether a redundancy policy is met, where one watches', async () => {
    const { page, shot } = await suite.visit({ as: 'viewer', width: 1440 });
    const states = page.waitForResponse(/redundancy\?elements=true/);
    await page.goto('/admin/institutions/');
    const { items } = await (await states).json() as { items: { name: string; elements: { kind: string; below: number[]; met: number[] } }[] };
    const watched = items.filter(({ elements }) => elements.kind === 'institutions').flatMap(({ elements }) => [...elements.below, ...elements.met]);
    await complete(page);
    await shot('watched');
    expect((await heads(page)).includes('Redundancy')).toBe(watched.length > 0);
    if (watched.length > 0) await page.locator('td .state').first().waitFor();
  });
});
