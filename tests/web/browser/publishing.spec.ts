// What goes out, and what the node does and did: publications, background tasks, activity.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { browserSuite } from '../support/suite.ts';
import { save } from './steps.ts';

browserSuite('publishing', (suite) => {
  it('publications are made and downloaded', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/publications/add/');
    await page.getByLabel('Name').fill('Spring edition');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('This field is required.').waitFor();
    await page.getByLabel('Description').fill('As decided');
    await save(page, 'Spring edition');
    await shot('publications');
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download: Spring edition' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^published_data_.+\.xml$/);
    expect(await readFile(await download.path(), 'utf8')).toContain('urn:example:node:roma');
    await page.getByRole('link', { name: 'Spring edition', exact: true }).click();
    await page.getByRole('link', { name: 'Close' }).waitFor(); // what was published stays as it is
  });

  it('tasks and activity tell what the node does and did', async () => {
    const { page, shot } = await suite.visit({ as: 'viewer' });
    await page.goto('/admin/');
    await page.getByRole('heading', { name: 'Recent actions' }).waitFor();
    await page.goto('/admin/tasks/');
    await page.getByText('Next polling').waitFor();
    await shot('tasks');
    await page.goto('/admin/activity/');
    await page.locator('tbody tr').first().waitFor();
  });
});
