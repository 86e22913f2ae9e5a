// The start page: how large the map is, which sources answered, what waits and what came in last.
import { expect, it } from 'vitest';
import { complete } from '../support/page_state.ts';
import { exampleFile } from '../support/example_file.ts';
import { browserSuite } from '../support/suite.ts';
import { drop } from './steps.ts';

browserSuite('start', (suite) => {
  it('counts what is on the map, and leads to it', async () => {
    const { page, shot } = await suite.visit({ as: 'viewer' });
    await page.goto('/admin/');
    const nodes = page.locator('.numbers a', { hasText: 'Nodes' });
    await expect.poll(() => nodes.textContent()).toMatch(/^\d+ Nodes$/);
    const count = Number.parseInt((await nodes.textContent())!, 10);
    await page.locator('.morning').getByRole('link', { name: 'Neighbour' }).waitFor();
    await expect.poll(() => page.locator('.morning').getByRole('link', { name: /^(Add: |Import a file)/ }).count()).toBe(0); // which a viewer may not
    await shot('start');
    await nodes.click();
    await complete(page);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(count);
  });

  it('tells which sources failed, those first', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    const source = (number: number, name: string, state: string, failures: number) => ({
      number, name, protocol: 'https', hostname: 'x.example', port: 443, path: '', active: true, has_token: true, plain_http: false,
      unverified: false, own_ca: false, deletions_max: null, deletion_percent_max: null, authority: 'own', listed_topologies: '',
      kind: 'netml', filters: '', url: '', status_url: '', polling_url: '', created: '2026-01-01T00:00:00Z', last_state: state,
      last_success: new Date(Date.now() - 3 * 86_400_000).toISOString(), last_failure: null, failures, waits_until: null, paused: false,
    });
    await page.route('**/api/v1/sources?limit=100', (route) => route.fulfill({ json: {
      items: [source(1, 'Alps', 'complete', 0), source(2, 'Coast', 'aborted', 4)], next: null, total: 2,
    } }));
    await page.goto('/admin/');
    const rows = page.locator('.morning .rows').first().locator('li');
    await expect.poll(() => rows.allTextContents()).toEqual(['CoastAbortedLast success: 3 days ago', 'AlpsCompleteLast success: 3 days ago']);
    await shot('start_sources');
    await page.getByRole('link', { name: 'Coast' }).waitFor();
  });

  it('tells which previews wait for a decision', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/file-imports/');
    await drop(page, 'map.xml', exampleFile(2012));
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByRole('button', { name: 'Discard' }).waitFor();
    await page.goto('/admin/');
    await page.getByRole('link', { name: '1 preview waits for a decision' }).click();
    await page.getByText('Previews waiting for a decision').waitFor();
  });
});
