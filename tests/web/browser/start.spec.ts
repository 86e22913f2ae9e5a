// The start page: how large the map is, which sources answered, what waits and what came in last.
import { expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { complete } from '../support/page_state.ts';
import { exampleFile } from '../support/example_file.ts';
import { browserSuite } from '../support/suite.ts';
import { drop } from './steps.ts';

const day = (date: string, complete: number, reasons: [string, number][] = []) => ({
  day: date, imports: { complete, aborted: reasons.length }, polls: { complete, aborted: reasons.reduce((sum, [, count]) => sum + count, 0) },
  reasons: reasons.map(([reason, count]) => ({ reason, count })),
});
const polls = (...states: ('complete' | 'aborted')[]) => states.map((state, index) => ({ poll: 10 + index, state, seconds: 1 + index }));

// A week of two sources.
function week() {
  const source = (number: number, name: string, failures: number, answered: ReturnType<typeof polls>) => ({
    number, name, active: true, paused: failures > 0, failures, last_success: new Date(Date.now() - 3 * 86_400_000).toISOString(), polls: answered,
  });
  return {
    days: [day('2026-11-21', 3), day('2026-11-22', 4), day('2026-11-23', 6, [['tls', 1]]), day('2026-11-24', 0), day('2026-11-25', 6),
      day('2026-11-26', 6), day('2026-11-27', 5, [['time_out', 2], ['tls', 1]])],
    sources: { items: [source(2, 'Coast', 4, polls('complete', 'complete', 'aborted')), source(1, 'Alps', 0, polls('complete', 'complete'))], total: 2 },
    growth: [
      { topologies: 1, institutions: 2, nodes: 10, links: 12, lsn: 3, time: '2026-11-01T00:00:00Z' },
      { topologies: 1, institutions: 4, nodes: 31, links: 40, lsn: 9, time: '2026-11-20T00:00:00Z' },
    ],
  };
}

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

  it('has all else when the map cannot be fetched, and says so', async () => {
    const { page } = await suite.visit({ as: 'viewer' });
    await page.route(/\/assets\/page-[^/]*\.js$/, (route) => route.abort());
    await page.goto('/admin/');
    await page.getByRole('alert').filter({ hasText: 'This part of the page could not be loaded.' }).waitFor();
    await page.locator('.morning').getByRole('link', { name: 'Neighbour' }).waitFor();
  });

  it('draws how sources answered, those that fail first, with numbers that lead to what they count', async () => {
    const { page, shot } = await suite.visit({ as: 'admin', width: 1440, height: 1400 });
    await page.route('**/api/v1/overview', (route) => route.fulfill({ json: week() }));
    await page.goto('/admin/');
    const rows = page.locator('.morning tbody tr').filter({ has: page.locator('.poll-strip') });
    await expect.poll(() => rows.locator('td:nth-child(1)').allTextContents()).toEqual(['Coast Paused', 'Alps ']);
    await expect.poll(() => rows.locator('td:nth-child(3)').allTextContents()).toEqual(['3 days ago', '3 days ago']);
    await page.getByRole('img', { name: '2 of 3 polls succeeded' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: '1 failed' }).getAttribute('href')).toBe('/admin/polls/12/');
    const failed = page.getByRole('link', { name: /Time-out, 2$/ }); // a part of a bar
    await expect.poll(() => failed.getAttribute('href')).toBe('/admin/polls/?day=2026-11-27&q=time_out');
    await shot('start_week');
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    await shot('start_week_dark');
    expect(await axeFindings(page, ['color-contrast'])).toEqual([]);
    await failed.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/day=2026-11-27&q=time_out/);
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('time_out');
  });

  it('gives each chart as a table, too', async () => {
    const { page } = await suite.visit({ as: 'viewer', width: 2560, height: 1400 });
    await page.route('**/api/v1/overview', (route) => route.fulfill({ json: week() }));
    await page.goto('/admin/');
    const chart = page.locator('figure', { hasText: 'Polls of each source by day (UTC)' });
    await chart.getByText('As a table').click();
    await expect.poll(() => chart.locator('th').allTextContents()).toEqual(['Day', 'Complete', 'No TLS', 'Time-out']);
    await expect.poll(() => chart.locator('tbody tr').last().locator('td').allTextContents()).toEqual(['27 Fri', '5', '1', '2']);
    const growth = page.locator('figure', { hasText: 'Nodes' });
    await growth.getByText('As a table').click();
    await expect.poll(() => growth.locator('tbody a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(['/?at=3', '/?at=9']);
  });

  it('draws what the node has done itself', async () => {
    const { page, shot } = await suite.visit({ as: 'admin', width: 390, height: 800 });
    await page.goto('/admin/');
    await page.getByRole('img', { name: /^Nodes: / }).waitFor();
    const imports = page.locator('figure', { hasText: 'Imports by day (UTC)' });
    await imports.getByText('As a table').click();
    const count = imports.locator('tbody a').last();
    const imported = Number(await count.textContent());
    await shot('start_narrow');
    await count.click();
    await page.waitForURL(/\/admin\/imports\/\?day=/);
    await complete(page);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(imported);
  });

  it('tells an administrator how the node itself is', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/');
    const facts = page.locator('.part', { hasText: 'This node' }).locator('.facts');
    await expect.poll(() => facts.locator('dt').allTextContents()).toEqual(['Disk', 'Journal', 'Newest checkpoint']);
    await expect.poll(() => facts.locator('dd').allTextContents()).toEqual([
      expect.stringMatching(/^ ?\d+(\.\d+)? .*B free of \d+(\.\d+)? .*B$/), expect.stringMatching(/B, LSN \d+$/), expect.any(String)]);
  });

  it('shows what changed since the last visit', async () => {
    const { page, shot } = await suite.visit({ as: 'admin', width: 2560, height: 1200 });
    await page.goto('/admin/');
    await page.locator('.start-map .chart').waitFor();
    await page.locator('.recent li').nth(1).waitFor();
    expect(await page.locator('.since-visit').count()).toBe(0); // this was the first
    await page.goto('/admin/file-imports/');
    await drop(page, 'map.xml', exampleFile(2012).replaceAll('>Perugia<', '>Perugia Est<'));
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.waitForURL(/\/admin\/imports\/\d+\//);

    await page.evaluate(() => sessionStorage.clear()); // as in another tab
    await page.goto('/admin/');
    const since = page.getByRole('link', { name: /^What changed since your last visit, / });
    await since.waitFor();
    await page.locator('.start-map .compare .key-line').first().waitFor();
    const [morning, map] = await Promise.all(['.morning', '.start-map'].map((part) => page.locator(part).boundingBox()));
    expect(map!.x).toBeGreaterThanOrEqual(morning!.x + morning!.width); // beside it on a large screen
    await shot('start_since');
    expect(await axeFindings(page)).toEqual([]);
    await since.click();
    await page.waitForURL(/\/\?(.*&)?since=\d+/);
    await page.locator('.compare .key-line').first().waitFor();
    await page.reload(); // the address still says so
    await page.locator('.compare .key-line').first().waitFor();
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
