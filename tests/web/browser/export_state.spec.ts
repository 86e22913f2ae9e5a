// What would break the export is said before it is done, and on every page while it is broken.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { complete } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';
import { pick } from './steps.ts';

const owner = 'Example Research Network'; // of the main topology, which is called like it
const banner = (page: Page) => page.locator('.banner.bad');

async function askToDelete(page: Page): Promise<void> {
  await page.goto('/admin/institutions/?q=urn:example:inst:ern');
  await page.locator('tbody a').first().click();
  await page.getByRole('button', { name: 'Delete' }).click();
}

const exportState = (page: Page) => page.evaluate(async () => {
  const answer = await fetch('/status/', { headers: { Accept: 'application/json' } });
  return (await answer.json() as { export: { ok: boolean; detail?: string } }).export;
});

browserSuite('an export that fails', (suite) => {
  it('is foretold in red, with all that changes, before an owner is deleted', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    const asked = page.waitForResponse('**/status/'); // for the banner
    await askToDelete(page);
    const dialog = page.getByRole('dialog', { name: 'Delete?' });
    await dialog.getByText(`The export will fail: the topology “${owner}” would have no owner.`).waitFor();
    await dialog.getByText('Nothing else will be deleted.').waitFor();
    const lost = dialog.locator('p', { hasText: 'These lose an owner:' }).locator('+ ul');
    await expect.poll(() => lost.locator('li').allTextContents()).toEqual(['1 topology', expect.stringMatching(/^\d+ nodes$/), expect.stringMatching(/^\d+ links$/)]);
    await dialog.getByText(/^All changes \(\d+\)$/).click();
    await dialog.locator('.change-group.updated > summary', { hasText: 'Node' }).first().click();
    await dialog.locator('.changes-list summary', { hasText: 'Milano' }).first().waitFor();
    await shot('delete_owner');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await (await asked).finished();
    expect((await exportState(page)).ok).toBe(true);
    await complete(page);
    await expect.poll(() => banner(page).count()).toBe(0);
  });

  it('is not foretold where nothing of the kind happens', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/nodes/?q=trento');
    await page.locator('tbody a').first().click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('1 link', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('dialog').getByText('The export will fail').count()).toBe(0);
  });

  it('lets nobody delete before it is known what would change', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.route(/\/delete\?.*preview=true/, (route) => route.fulfill({ status: 503, json: { error: { code: 'busy', message: 'busy for a moment' } } }), { times: 1 });
    await askToDelete(page);
    const dialog = page.getByRole('dialog', { name: 'Delete?' });
    await dialog.getByText('busy for a moment').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('These lose an owner:').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Delete' }).isEnabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('stands above every page for everybody until it is mended, and the banner leads to the form', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await askToDelete(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText(new RegExp(`^Deleted: ${owner}\\. \\d+ other records changed\\.$`)).waitFor();
    await banner(page).getByText(`Export fails: the topology “${owner}” has no owner.`).waitFor();
    await shot('export_banner');
    expect(await exportState(page)).toMatchObject({ ok: false, detail: `Export fails: ${owner} has no owner` });
    const viewer = await suite.visit({ as: 'viewer' });
    await viewer.page.goto('/admin/settings/');
    await banner(viewer.page).getByText('Export fails').waitFor();
    await expect.poll(() => banner(viewer.page).getByRole('link').count()).toBe(0);
    await banner(page).getByRole('link', { name: `Give ${owner} an owner` }).click();
    await page.waitForURL(/\/admin\/topologies\/\d+\/$/);
    await pick(page, 'Owner', 'Southern Universities');
    await page.getByRole('button', { name: 'Done' }).click();
    await banner(page).waitFor({ state: 'detached' });
    expect(await exportState(page)).toEqual({ ok: true });
  });
});
