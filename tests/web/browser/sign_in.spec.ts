// Signing in and out, and who sees what.
import { expect, it } from 'vitest';
import { Data, password } from '../support/node.ts';
import { browserSuite } from '../support/suite.ts';

const firstCode = /enter the code (\S+),/;

browserSuite('signing in', (suite) => {
  it('leads to the page that was asked for, and out again to the map', async () => {
    const { page, shot } = await suite.visit();
    await page.goto('/admin/nodes/?sort=name');
    await page.waitForURL(/\/admin\/login\/\?next=/);
    await shot('login');
    await page.getByLabel('User name').fill('admin');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/admin\/nodes\/\?sort=name/);
    await page.locator('#fim_logout_staff').click();
    await page.waitForURL(/\/$|\/\?/);
    await page.locator('#fim_login').waitFor();
  });

  it('tells that name or password is wrong, and does not tell which', async () => {
    const { page } = await suite.visit();
    await page.goto('/admin/');
    await page.getByLabel('User name').fill('nobody');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('The name or the password is wrong.');
  });

  it('never leads to another site', async () => {
    for (const next of ['//evil.example/', 'https://evil.example/', '/\\evil.example', '%2f%2fevil.example']) {
      const { page } = await suite.visit();
      await page.goto(`/admin/login/?next=${encodeURIComponent(next)}`);
      await page.getByLabel('User name').fill('viewer');
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.locator('#sections').waitFor();
      await expect.poll(() => page.url()).toBe(`${suite.node.url}/admin/`);
    }
  });

  it('shows a viewer no button that would not work', async () => {
    const { page } = await suite.visit({ as: 'viewer' });
    await page.goto('/admin/');
    await page.locator('#sections').waitFor();
    await page.locator('#sections').getByRole('link', { name: 'Rulesets' }).waitFor();
    await expect.poll(() => page.locator('#sections').getByText('Tokens').count()).toBe(0);
    await page.goto('/admin/nodes/');
    await page.getByRole('link', { name: 'urn:example:node:roma' }).click();
    await page.getByRole('link', { name: 'Close' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Done' }).count()).toBe(0);
    await expect.poll(() => page.locator('#field-name').isDisabled()).toBe(true);
    await page.goto('/admin/tokens/');
    await page.getByRole('alert').getByText('There is no such page.').waitFor();
  });

  it('changes the password and ends the other sessions', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/password/');
    await page.getByLabel('Old password').fill(password);
    await page.getByLabel('New password', { exact: false }).first().fill('a new long password');
    await page.locator('#field-again').fill('another');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The two passwords differ.').waitFor();
    await page.locator('#field-again').fill('a new long password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password was changed.').waitFor();
    await shot('password');
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('All other sessions have ended.').waitFor();
  });
});

browserSuite('a node without accounts', (suite) => {
  it('makes the first administrator with the one-time code that it printed', async () => {
    const { page, shot } = await suite.visit();
    await page.goto('/admin/');
    await page.getByRole('heading', { name: 'Create the first administrator' }).waitFor();
    await page.getByLabel('One-time code').fill('WRONG-CODE');
    await page.getByLabel('User name').fill('founder');
    await page.getByLabel('Password').fill('a founding password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => suite.node.said()).toMatch(firstCode);
    await page.getByLabel('One-time code').fill(firstCode.exec(suite.node.said())![1]!);
    await shot('first_administrator');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.locator('#sections').getByRole('link', { name: 'Accounts' }).waitFor();
    await page.goto('/admin/nodes/');
    await page.getByText('Nothing here yet.').waitFor();
    await shot('nodes_empty');
  });
}, { data: () => new Data() });
