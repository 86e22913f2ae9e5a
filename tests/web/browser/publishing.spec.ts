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

  it('the page of the cluster says that a node is alone, or who leads and how far each is', async () => {
    const { page, shot } = await suite.visit({ as: 'viewer' });
    await page.goto('/admin/cluster/');
    await page.getByText('This node is no member of a cluster.').waitFor();
    const member = (name: string, lsn: number) =>
      ({ name, lsn, version: '0.1.0', seen_ms: 40, address: `https://${name}.example:8443` });
    await page.route('**/api/v1/cluster', (route) => route.fulfill({ json: { cluster: {
      name: 'beta', role: 'follower', reason: '', epoch: 3, lsn: 41, shared_lsn: 42, behind: 1, lag_ms: 120,
      leader: 'alpha', reached: true, synchronous: true, require_standby: true, last_error: '',
      address: 'https://beta.example:8443', leader_address: 'https://alpha.example:8443',
      members: [member('alpha', 42), member('beta', 41)] } } }));
    await page.reload();
    await page.getByText('A second database confirms every change.').waitFor();
    await page.getByRole('row', { name: 'alpha Leader 42' }).waitFor();
    await page.getByRole('row', { name: 'beta Follower 41' }).waitFor();
    await shot('cluster');
  });
});
