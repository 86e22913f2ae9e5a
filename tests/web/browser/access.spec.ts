// Who and what may reach the node: tokens, accounts, allowed origins; and its settings.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { signIn } from '../support/browser.ts';
import { password } from '../support/node.ts';
import { holdAnswers } from '../support/held_answers.ts';
import { complete } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';
import { deleteHere, save } from './steps.ts';

async function confirmPassword(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'Confirm your password' }).getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Confirm' }).click();
}

browserSuite('tokens', (suite) => {
  it('show their value at creation, then after the password only, and can have a new one', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page); // a session that has not confirmed its password yet
    await page.goto('/admin/tokens/add/');
    await page.getByLabel('Client name').fill('A peer');
    await page.getByLabel('Token type').selectOption('import');
    await page.getByRole('button', { name: 'Done' }).click();
    const dialog = page.getByRole('dialog', { name: 'Token of A peer' });
    const value = await dialog.locator('code').textContent();
    expect(value).toMatch(/^[\w-]{32}$/);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    await complete(page);
    await page.getByRole('link', { name: 'A peer' }).waitFor();
    await shot('tokens');
    await expect.poll(() => page.content()).not.toContain(value);
    await page.getByRole('button', { name: 'Show: A peer' }).click();
    await confirmPassword(page);
    await expect.poll(() => dialog.locator('code').textContent()).toBe(value);
    await shot('token_shown');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Regenerate: A peer' }).click();
    await page.getByRole('dialog', { name: 'Regenerate the token of A peer?' }).getByRole('button', { name: 'Regenerate' }).click();
    await expect.poll(() => dialog.locator('code').textContent()).not.toBe(value);
  });

  it('are regenerated after a warning and with the password only', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/tokens/add/');
    await page.getByLabel('Client name').fill('A collector');
    await page.getByRole('button', { name: 'Done' }).click();
    const shown = page.getByRole('dialog', { name: 'Token of A collector' });
    const value = await shown.locator('code').textContent();
    await page.keyboard.press('Escape');
    const works = async () => (await fetch(`${suite.node.url}/netml_export/`, { headers: { Authorization: `Bearer ${value}` } })).status === 200;
    await page.getByRole('button', { name: 'Regenerate: A collector' }).click();
    const warning = page.getByRole('dialog', { name: 'Regenerate the token of A collector?' });
    await warning.getByText('A collector can no longer collect the map of this node').waitFor();
    await shot('token_regenerate');
    await warning.getByRole('button', { name: 'Cancel' }).click();
    await warning.waitFor({ state: 'detached' });
    expect(await works()).toBe(true);
    await page.getByRole('button', { name: 'Regenerate: A collector' }).click();
    await warning.getByRole('button', { name: 'Regenerate' }).click();
    const asked = page.getByRole('dialog', { name: 'Confirm your password' });
    await asked.getByLabel('Password').fill('not the password');
    await asked.getByRole('button', { name: 'Confirm' }).click();
    await asked.getByText('The password is wrong.').waitFor();
    await shot('token_regenerate_password');
    expect(await works()).toBe(true);
    await confirmPassword(page);
    await expect.poll(() => shown.locator('code').textContent()).not.toBe(value);
    expect(await works()).toBe(false);
  });

  it('get another name and type, and are deleted', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/tokens/add/');
    await page.getByLabel('Client name').fill('Short-lived');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'Short-lived' }).click();
    await page.getByLabel('Client name').fill('Short-lived collector');
    await page.getByLabel('Token type').selectOption('import');
    await save(page, 'Short-lived collector');
    await page.locator('tr', { hasText: 'Short-lived collector' }).getByRole('cell', { name: 'Import', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Short-lived collector' }).click();
    await deleteHere(page);
    await page.getByRole('link', { name: 'Short-lived collector' }).waitFor({ state: 'detached' });
  });
});

browserSuite('settings', (suite) => {
  it('are changed, and reset whatever the field holds', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/settings/');
    const row = page.locator('.setting', { hasText: 'MASS_DELETION_GUARD_COUNT' });
    await row.getByRole('textbox').fill('12');
    await row.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved: Mass-Deletion Guard Count').waitFor();
    await shot('settings');
    await row.getByRole('textbox').fill('nonsense');
    await row.getByRole('button', { name: 'Reset to default value' }).click();
    await page.getByText('Mass-Deletion Guard Count has its default value again.').waitFor();
    await expect.poll(() => row.getByRole('textbox').inputValue()).toBe('0');
  });

  it('keep what is typed while they are loaded anew', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/settings/');
    const row = page.locator('.setting', { hasText: 'MASS_DELETION_GUARD_COUNT' });
    await row.getByRole('textbox').fill('15');
    const held = await holdAnswers(page, /\/settings$/);
    await row.getByRole('button', { name: 'Save' }).click();
    await expect.poll(held.isAsked).toBe(true);
    await row.getByRole('textbox').fill('16');
    await held.letGo();
    await row.getByRole('button', { name: 'Save' }).click(); // it is not what the server has
    await expect.poll(() => row.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await row.getByRole('textbox').inputValue()).toBe('16');
  });

  it('refuse what makes no sense, and tell why', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/settings/');
    const row = page.locator('.setting', { hasText: 'NETML_POLLING_INTERVAL' });
    await row.getByRole('textbox').fill('every now and then');
    await row.getByRole('button', { name: 'Save' }).click();
    await page.locator('.notice.error').waitFor();
    await page.reload();
    await expect.poll(() => row.getByRole('textbox').inputValue()).toBe('R */4 * * *');
  });

  it('offer the values that there are as a choice', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/settings/');
    const row = page.locator('.setting', { hasText: 'POLLING_DATA_SUPPLY_TYPE' });
    await row.getByRole('combobox').selectOption('Published');
    await row.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved: NetML Polling Data Supply Type').waitFor();
    await page.reload();
    await expect.poll(() => row.getByRole('combobox').inputValue()).toBe('Published');
  });
});

browserSuite('accounts', (suite) => {
  it('are added, changed and deleted with the password of who does it', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/accounts/add/');
    await page.getByLabel('User name').fill('newcomer');
    await page.locator('#field-password').fill('a long enough password');
    await page.getByLabel('Role').selectOption('editor');
    await page.getByRole('button', { name: 'Done' }).click();
    await confirmPassword(page);
    await page.getByText('Saved: newcomer').waitFor();
    await page.getByRole('link', { name: 'newcomer' }).click();
    await page.getByLabel('Role').selectOption('viewer');
    await page.getByLabel('Email').fill('new@example.org');
    await save(page, 'newcomer');
    await page.locator('tr', { hasText: 'new@example.org' }).getByText('Viewer').waitFor();
    await shot('accounts');
    await page.getByRole('link', { name: 'newcomer' }).click();
    await deleteHere(page);
    await page.getByRole('link', { name: 'newcomer' }).waitFor({ state: 'detached' });
  });

  it('keep the last administrator', async () => {
    const { page } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/accounts/');
    await page.getByRole('link', { name: 'admin', exact: true }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete?' }).getByRole('button', { name: 'Delete' }).click();
    await confirmPassword(page);
    await page.locator('.notice.error').waitFor();
    await page.goto('/admin/accounts/');
    await page.getByRole('link', { name: 'admin', exact: true }).waitFor();
  });
});

browserSuite('identities', (suite) => {
  it('are added, changed and deleted with the password of who does it', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/identities/add/');
    await page.locator('#field-eppn').fill('ada@example.org');
    await page.getByRole('button', { name: 'Done' }).click();
    await confirmPassword(page);
    await page.getByText('Saved: ada@example.org').waitFor();
    await page.getByRole('link', { name: 'ada@example.org' }).click();
    await page.getByLabel('Display name').fill('Ada L.');
    await save(page, 'ada@example.org');
    await page.getByRole('cell', { name: 'Ada L.' }).waitFor();
    await shot('identities');
    await page.getByRole('link', { name: 'ada@example.org' }).click();
    await deleteHere(page);
    await page.getByText('Nothing here yet.').waitFor();
  });
});

browserSuite('allowed origins', (suite) => {
  it('are what browsers send as one; they are added, changed and deleted', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/origins/add/');
    await page.locator('#field-name').fill('Portal');
    await page.locator('#field-origin').fill('https://portal.example.org/');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Enter scheme, host and port only, such as https://www.example.org').waitFor();
    await page.locator('#field-origin').fill('https://portal.example.org');
    await save(page, 'Portal');
    await shot('origins');
    await page.getByRole('link', { name: 'Portal' }).click();
    await page.getByLabel('Active').uncheck();
    await save(page, 'Portal');
    await page.locator('tr', { hasText: 'Portal' }).getByRole('img', { name: 'No' }).waitFor();
    await page.getByRole('link', { name: 'Portal' }).click();
    await deleteHere(page);
    await page.getByText('Nothing here yet.').waitFor();
  });
});
