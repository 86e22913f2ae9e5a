// The other sections: tokens, settings, accounts, origins, rules, publications, polling, tasks.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { password, signIn } from '../support/browser.ts';
import { browserSuite } from '../support/suite.ts';

async function confirmPassword(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'Confirm your password' }).getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Confirm' }).click();
}

browserSuite('sections', (suite) => {
  it('tokens: the value is shown at creation, then after the password only', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/tokens/add/');
    await page.getByLabel('Client name').fill('A peer');
    await page.getByLabel('Token type').selectOption('import');
    await page.getByRole('button', { name: 'Done' }).click();
    const dialog = page.getByRole('dialog', { name: 'Token of A peer' });
    const value = await dialog.locator('code').textContent();
    expect(value).toMatch(/^[\w-]{32}$/);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await shot('tokens');
    expect(await page.content()).not.toContain(value);
    await page.getByRole('button', { name: 'Show: A peer' }).click();
    await confirmPassword(page);
    await expect.poll(() => dialog.locator('code').textContent()).toBe(value);
    await shot('token_shown');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Regenerate: A peer' }).click();
    await dialog.waitFor();
    expect(await dialog.locator('code').textContent()).not.toBe(value);
  });

  it('settings: changed, refused, and reset whatever the field holds', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/settings/');
    const row = page.locator('.setting', { hasText: 'DELETION_BRAKE_COUNT' });
    await row.getByRole('textbox').fill('12');
    await row.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved: Deletion Brake Count').waitFor();
    await shot('settings');
    await row.getByRole('textbox').fill('nonsense');
    await row.getByRole('button', { name: 'Reset to default value' }).click();
    await page.getByText('Deletion Brake Count has its default value again.').waitFor();
    await expect.poll(() => row.getByRole('textbox').inputValue()).toBe('0');
  });

  it('accounts: added with the password of who adds them', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/accounts/add/');
    await page.getByLabel('User name').fill('newcomer');
    await page.locator('#field-password').fill('a long enough password');
    await page.getByLabel('Role').selectOption('editor');
    await page.getByRole('button', { name: 'Done' }).click();
    await confirmPassword(page);
    await page.getByText('Saved: newcomer').waitFor();
    await page.getByRole('link', { name: 'newcomer' }).waitFor();
    await shot('accounts');
  });

  it('origins: only what browsers send as one', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/origins/add/');
    await page.locator('#field-name').fill('Portal');
    await page.locator('#field-origin').fill('https://portal.example.org/');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('This is no origin.').waitFor();
    await page.locator('#field-origin').fill('https://portal.example.org');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Saved: Portal').waitFor();
    await shot('origins');
  });

  it('rules: from creation by trying to the effect', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/rulesets/add/');
    await page.locator('#field-name').fill('Clean-up');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Saved: Clean-up').waitFor();
    await page.getByRole('link', { name: 'Clean-up' }).click();
    await page.getByRole('link', { name: 'Add a rule' }).click();
    await page.locator('#rule-name').fill('No node in Udine');
    await page.locator('#rule-enabled').uncheck(); // an enabled one runs as soon as it is saved
    const criterion = page.getByRole('group', { name: 'Match criteria 1' });
    await criterion.getByLabel('Type 1').selectOption('Match Nodes by ID');
    await criterion.getByText('missing').waitFor();
    await criterion.getByRole('textbox', { name: 'ID' }).fill('urn:example:node:udine');
    await page.getByRole('group', { name: 'Rule actions 1' }).getByLabel('Type 1').selectOption('Delete Node');
    await shot('rule');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Try: No node in Udine' }).click();
    await page.getByRole('dialog').getByText('Nothing was changed.').waitFor();
    await page.getByRole('dialog').getByText('urn:example:node:udine').waitFor();
    await shot('rule_tried');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clone Rule: No node in Udine' }).click();
    await page.getByText('Cloned: No node in Udine').waitFor();
    await page.getByRole('button', { name: 'Apply Rule: No node in Udine', exact: true }).click();
    await page.getByText(/^No node in Udine: /).waitFor();
    await page.goto('/admin/nodes/?q=udine');
    await page.getByText('Nothing here yet.').waitFor();
  });

  it('rulesets: exported and imported again', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/rulesets/');
    await page.getByRole('link', { name: 'Decisions' }).waitFor();
    await shot('rulesets');
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export Ruleset(s) to file' }).click();
    const text = await readFile(await (await coming).path(), 'utf8');
    expect(Array.isArray(JSON.parse(text))).toBe(true);
    await page.locator('#rules-file').setInputFiles({ name: 'rules.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await page.getByText(/^Rulesets imported: \d+, discarded: \d+$/).waitFor();
  });

  it('publications: published and downloaded', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/publications/add/');
    await page.getByLabel('Name').fill('Spring edition');
    await page.getByLabel('Description').fill('As decided');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Saved: Spring edition').waitFor();
    await shot('publications');
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download: Spring edition' }).click();
    await coming;
  });

  it('sources: tested and collected, with progress on the page of the event', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/sources/');
    await page.getByRole('button', { name: 'Test Connection: Neighbour' }).click();
    await page.getByText(suite.server.state ? 'Neighbour: Connected' : /^Neighbour: ./).waitFor(); // a real one has no such peer
    await shot('sources');
    await page.getByRole('button', { name: 'Collect GRENML Data: Neighbour' }).click();
    await page.getByText('Collecting from Neighbour has begun.').waitFor();
    await page.goto('/admin/polls/');
    await page.locator('tbody a').first().click();
    await page.getByText('The batch is complete.').waitFor();
    await shot('poll_event');
  });

  it('tasks and activity tell what the node does and did', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.getByRole('heading', { name: 'Recent actions' }).waitFor();
    await page.goto('/admin/tasks/');
    await page.getByText('Next polling').waitFor();
    await shot('tasks');
    await page.goto('/admin/activity/');
    await page.locator('tbody tr').first().waitFor();
    await shot('activity');
  });
});
