// Webhooks: are added, which shows their secret once, tried, and deleted.
import { expect, it } from 'vitest';
import { signIn } from '../support/browser.ts';
import { complete } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';
import { deleteHere } from './steps.ts';

browserSuite('webhooks', (suite) => {
  it('are added, tried and deleted', async () => {
    const { page, shot } = await suite.visit();
    await signIn(page);
    await page.goto('/admin/webhooks/add/');
    await page.getByLabel('Name').fill('Desk');
    await page.getByLabel('URL').fill('https://127.0.0.1:1/netml'); // which the node may not reach
    await page.getByRole('button', { name: 'Done' }).click();
    const dialog = page.getByRole('dialog', { name: 'Secret of Desk' });
    const secret = await dialog.locator('code').textContent();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    await complete(page);
    await page.getByRole('button', { name: 'Post a test message: Desk' }).click();
    await page.getByText('Desk: the address 127.0.0.1').waitFor();
    await shot('webhooks');
    await page.getByRole('link', { name: 'Desk' }).click();
    const messages = page.getByRole('region', { name: 'Messages of late' });
    await messages.getByText('test', { exact: true }).first().waitFor();
    await complete(page);
    expect(await page.content()).not.toContain(secret);
    await shot('webhook');
    await deleteHere(page);
    await expect.poll(() => page.getByRole('link', { name: 'Desk' }).count()).toBe(0);
  });
});
