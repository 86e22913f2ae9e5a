// Receipts: a delivery to a recipient with a view is listed, and its bytes are made again.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { exampleData } from '../support/node.ts';
import { complete } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';

let token = '';

const dataWithARecipient = () => {
  const data = exampleData();
  token = data.run(['token', 'create', 'partner.example', '--kind', 'polling', '--view', 'Public']).trim().split(/\s+/).at(-1)!;
  return data;
};

browserSuite('receipts', (suite) => {
  it('tell what a recipient was sent, and make it again', async () => {
    const sent = await (await fetch(`${suite.node.url}/netml_export/`, { headers: { Authorization: `Bearer ${token}` } })).text();
    expect(sent).toContain('<grenml:Topology');
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/receipts/');
    await complete(page);
    await expect.poll(() => page.locator('tbody tr').first().locator('td').allTextContents()).toEqual(
      expect.arrayContaining(['partner.example', 'The whole map', 'Public']));
    await shot('receipts');
    expect(await axeFindings(page)).toEqual([]);
    const address = await page.getByRole('link', { name: /^Make it again from the journal/ }).first().getAttribute('href');
    const again = await page.evaluate(async (path) => (await fetch(path)).text(), address!);
    expect(again === sent).toBe(true);
    await page.locator('tbody tr').first().getByRole('link').first().click();
    await page.getByText(createHash('sha256').update(sent).digest('hex')).waitFor();
    await shot('receipt');
  });

  it('are for administrators', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/');
    await complete(page);
    expect(await page.getByRole('link', { name: 'Receipts' }).count()).toBe(0);
  });
}, { data: dataWithARecipient });
