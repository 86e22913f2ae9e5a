// Undo in the browser: from the notice after a change, from activity and from histories, also those
// of records that were deleted.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import { call, numberOf, signIn } from '../support/browser.ts';
import { password } from '../support/node.ts';
import { complete, focusIsOn, tabTo } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';
import { deleteHere, save } from './steps.ts';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Undo this change?' });
const notice = (page: Page, text: string | RegExp) => page.locator('.notice', { hasText: text }).last();
const listed = (page: Page, list: string, words: string) => async () =>
  (await call(page, 'GET', `${list}?q=${encodeURIComponent(words)}`)).body!.items.length;

async function openNode(page: Page, words: string): Promise<void> {
  await page.goto(`/admin/nodes/?q=${words}`);
  await page.locator('tbody a').first().click();
  await page.locator('#field-name').waitFor();
}

browserSuite('undo', (suite) => {
  it('is offered by the notice after a deletion, previews what comes back, and can be undone itself', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await openNode(page, 'trento');
    await deleteHere(page);
    expect(await listed(page, 'nodes', 'trento')()).toBe(0);
    await shot('undo_notice');
    await notice(page, 'Deleted: Trento and 1 link').getByRole('button', { name: 'Undo' }).click();
    await dialogOf(page).getByText('2 would be added').waitFor(); // with its link
    await dialogOf(page).getByText(/^This undoes all 2 changes of LSN \d+ listed here\.$/).waitFor();
    await dialogOf(page).locator('.changes-list summary', { hasText: 'Trento' }).first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await shot('undo_preview');
    await dialogOf(page).getByRole('button', { name: 'Undo' }).click();
    await notice(page, 'Undone: 2 added').waitFor();
    expect(await listed(page, 'nodes', 'trento')()).toBe(1);
    await notice(page, 'Undone: 2 added').getByRole('button', { name: 'Undo' }).click();
    await dialogOf(page).getByText('2 would be deleted').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Undo' }).click();
    await notice(page, 'Undone: 2 removed').waitFor();
    expect(await listed(page, 'nodes', 'trento')()).toBe(0);
  });

  it('tells what was changed since, and leaves it alone unless somebody wants it back as well', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await openNode(page, 'perugia');
    const address = page.url();
    for (const text of ['Corso one', 'Corso two']) {
      await page.goto(address);
      await page.locator('#field-address').fill(text);
      await page.getByRole('button', { name: 'Save and continue editing' }).click();
      await notice(page, 'Saved: Perugia').waitFor();
    }
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('.history li').nth(1).getByRole('button', { name: /^Undo/ }).click();
    await dialogOf(page).getByText('1 thing has changed since').waitFor();
    await dialogOf(page).getByText('Address: now “Corso two”, would become empty').waitFor();
    await expect.poll(() => dialogOf(page).getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await shot('undo_conflict');
    await dialogOf(page).getByLabel(/^Overwrite later changes with the values from before LSN \d+$/).check();
    await dialogOf(page).getByText('1 would change').waitFor();
    await dialogOf(page).getByRole('alert').getByText('The later values listed here are lost from the map').waitFor();
    await dialogOf(page).locator('button.danger', { hasText: 'Undo' }).waitFor();
    await shot('undo_forced');
    await dialogOf(page).getByRole('button', { name: 'Undo' }).click();
    await notice(page, 'Undone').waitFor();
    await page.goto(address);
    await expect.poll(() => page.locator('#field-address').inputValue()).not.toContain('Corso');
  });

  it('does what its preview showed, or shows the new one', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await openNode(page, 'lecce');
    await page.locator('#field-short_name').fill('ONE');
    await save(page, 'Lecce');
    await notice(page, 'Saved: Lecce').getByRole('button', { name: 'Undo' }).click();
    await dialogOf(page).getByText('1 would change').waitFor();
    const number = await numberOf(page, 'nodes', 'lecce');
    const { body } = await call(page, 'GET', `nodes/${number}`);
    await call(page, 'PUT', `nodes/${number}`, { ...body, short_name: 'TWO' });
    await dialogOf(page).getByRole('button', { name: 'Undo' }).click();
    await dialogOf(page).getByText('The map has changed since the preview.').waitFor();
    await dialogOf(page).getByText('1 thing has changed since').waitFor();
  });

  it('of several that were deleted at once brings all of them back', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/nodes/?q=ca');
    const before = await listed(page, 'nodes', 'ca')();
    expect(before).toBeGreaterThan(1);
    const links = (await call(page, 'GET', 'links?limit=1000')).body!.items.length;
    await page.getByLabel('Select all').check();
    await page.getByLabel('Action').selectOption('Delete selected');
    await page.getByRole('button', { name: 'Go', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete?' });
    await dialog.getByText('You can undo this afterwards, under Activity.').waitFor();
    const reported = await dialog.locator('.impact li').first().textContent();
    await shot('delete_several');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await notice(page, `Deleted: ${before} nodes`).waitFor();
    const left = (await call(page, 'GET', 'links?limit=1000')).body!.items.length;
    expect(reported).toMatch(new RegExp(`^${links - left} links?$`));
    await notice(page, `Deleted: ${before} nodes`).getByRole('button', { name: 'Undo' }).click();
    await dialogOf(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(listed(page, 'nodes', 'ca')).toBe(before);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(before);
  });

  it('is found in the history of a record that was deleted', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await openNode(page, 'udine');
    const address = page.url();
    await deleteHere(page);
    await page.goto(address);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('This record was deleted.').waitFor();
    await page.getByRole('heading', { name: 'History: Udine' }).waitFor();
    await page.locator('.history li', { hasText: 'dated Jun 1, 2011' }).first().waitFor(); // it was done later
    await page.getByRole('button', { name: /^Undo the whole import: LSN \d+$/ }).first().waitFor(); // it is not of this node alone
    await shot('history_deleted');
    await page.locator('.history li').first().getByRole('button', { name: /^Undo/ }).click();
    await dialogOf(page).getByRole('button', { name: 'Undo' }).click();
    await page.getByText('This record was deleted.').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await expect.poll(() => page.locator('#field-name').inputValue()).toBe('Udine');
  });

  it('of a token asks for the password', async () => {
    const { page } = await suite.visit();
    await signIn(page); // a session that has not confirmed its password yet
    await page.goto('/admin/tokens/add/');
    await page.getByLabel('Client name').fill('By mistake');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await notice(page, 'Saved: By mistake').getByRole('button', { name: 'Undo' }).click();
    await dialogOf(page).getByText('By mistake').first().waitFor();
    await dialogOf(page).getByRole('button', { name: 'Undo' }).click();
    const asked = page.getByRole('dialog', { name: 'Confirm your password' });
    await asked.getByLabel('Password').fill(password);
    await asked.getByRole('button', { name: 'Confirm' }).click();
    await notice(page, 'Undone').waitFor();
    expect(await listed(page, 'tokens', 'By mistake')()).toBe(0);
  });

  it('works with the keyboard alone', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await openNode(page, 'pisa');
    await page.locator('#field-short_name').fill('PSA');
    await save(page, 'Pisa');
    await focusIsOn(page.locator('#main')); // as on each page that is new
    const button = notice(page, 'Saved: Pisa').getByRole('button', { name: 'Undo' });
    await button.focus();
    await focusIsOn(button);
    await page.keyboard.press('Enter');
    await dialogOf(page).getByText('1 would change').waitFor();
    await tabTo(page, 'dialog footer .primary:enabled');
    await page.keyboard.press('Enter');
    await notice(page, 'Undone: 1 changed').waitFor();
  });

  it('is offered to administrators only', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await openNode(page, 'milano');
    await page.locator('#field-short_name').fill('MI');
    await save(page, 'Milano');
    await expect.poll(() => page.locator('.notice').getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.goto('/admin/activity/');
    await page.locator('tbody tr').first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
    await page.locator('tbody a').first().click();
    await page.locator('.changes-list').waitFor();
    await complete(page);
    await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  });
});

browserSuite('activity', (suite) => {
  it('is filtered and searched, says what changed, and opens with links to the records', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await openNode(page, 'pisa');
    await page.locator('#field-address').fill('Piazza');
    await save(page, 'Pisa');
    await page.goto('/admin/activity/');
    await page.getByRole('link', { name: 'Changed: Node Pisa' }).first().waitFor();
    await shot('activity');
    await page.getByRole('combobox', { name: 'Why' }).selectOption('Edit');
    await page.waitForURL(/cause=edit/);
    await expect.poll(async () => new Set(await page.locator('tbody td:nth-child(2)').allTextContents())).toEqual(new Set(['Edit']));
    await page.getByRole('searchbox', { name: 'Search' }).fill('nobody at all');
    await page.getByText('No match.').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('ADMIN');
    await page.getByRole('link', { name: 'Changed: Node Pisa' }).first().click();
    await page.getByRole('heading', { name: /^Edit: LSN \d+$/ }).waitFor();
    const change = page.locator('.changes-list li', { hasText: 'Pisa' });
    await change.locator('summary').click();
    await change.locator('ins', { hasText: 'Piazza' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await shot('transaction');
    await change.getByRole('link', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'History: Pisa' }).waitFor();
    await page.goBack();
    await page.locator('.changes-list summary', { hasText: 'Pisa' }).click();
    await page.getByRole('link', { name: 'Show the record' }).click();
    await expect.poll(() => page.locator('#field-name').inputValue()).toBe('Pisa');
  });

  it('is cut into pages', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/activity/');
    for (let i = 0; i < 101; i++) {
      await call(page, 'PUT', 'settings/GREN_MAP_INITIAL_MAP_ZOOM', { value: String(3 + i % 2) });
    }
    await page.goto('/admin/activity/?cause=setting');
    await page.getByText('1 to 100', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(/^101 to \d+$/).waitFor();
    await page.locator('summary', { hasText: 'Saved filters' }).click();
    await page.getByRole('textbox', { name: 'Name of the filter' }).fill('Changes of settings');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.goto('/admin/activity/');
    await page.getByText('1 to 100', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(/^101 to \d+$/).waitFor();
    await page.locator('summary', { hasText: 'Saved filters' }).click();
    await page.getByRole('link', { name: 'Changes of settings' }).click(); // begins at its first page
    await page.getByText('1 to 100', { exact: true }).waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(100);
  });
});
