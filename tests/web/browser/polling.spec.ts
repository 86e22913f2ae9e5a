// Polling sources and what comes of asking them: one peer that answers, and one that is not there.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { Data, serve, type Node } from '../support/node.ts';
import { complete } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';
import { deleteHere, save } from './steps.ts';

const peersMap = `<?xml version="1.0" encoding="UTF-8"?>
<grenml:Topology id="urn:peer" xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml" xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#">
<grenml:name>Peer Network</grenml:name><grenml:owner>urn:peer:owner</grenml:owner>
<grenml:Institution id="urn:peer:owner"><grenml:name>Peer</grenml:name></grenml:Institution>
<grenml:Node id="urn:peer:node"><grenml:name>Valletta</grenml:name><grenml:owner>urn:peer:owner</grenml:owner></grenml:Node>
</grenml:Topology>`;

browserSuite('polling', (suite) => {
  let peer: Node;
  let token = '';
  beforeAll(async () => {
    const data = new Data();
    data.import('peer.xml', peersMap);
    token = data.run(['token', 'create', 'collector', '--kind', 'polling']).trim();
    peer = await serve(data);
  });
  afterAll(() => peer.close());

  const writeSource = async (page: Page, name: string, port: string) => {
    await page.goto('/admin/sources/add/');
    await page.locator('#field-name').fill(name);
    await page.getByLabel('Protocol').selectOption('http');
    await page.getByLabel('Host name').fill('127.0.0.1');
    await page.getByLabel('Port').fill(port);
    await page.getByLabel('Without encryption').check();
    await page.locator('#field-token').fill(token);
    await save(page, name);
  };

  it('sources are added, tested and collected, with progress on the page of the event', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await writeSource(page, 'Peer', new URL(peer.url).port);
    await page.getByRole('link', { name: 'Peer', exact: true }).waitFor();
    await complete(page);
    await expect.poll(() => page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Test Connection: Peer' }).click();
    await page.locator('.notice.done', { hasText: 'Peer: Connected' }).waitFor();
    await page.getByRole('button', { name: 'Collect GRENML Data: Peer' }).click();
    await page.getByText('Collecting from Peer has begun.').waitFor();
    await page.goto('/admin/polls/');
    await page.locator('tbody a').first().click();
    await page.getByText('All sources answered or gave up.').waitFor();
    await page.getByText('1 complete').waitFor();
    await shot('poll_event');
    await page.getByRole('region', { name: 'Sources' }).getByRole('link').click();
    await page.getByText(/^Complete/).waitFor(); // some of what came is below the redundancy policy
    await page.goto('/admin/nodes/?q=valletta');
    await page.getByRole('link', { name: 'urn:peer:node' }).waitFor();
  });

  it('a NetBox is a source of its own kind, with filters', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/sources/add/');
    await page.locator('#field-name').fill('Inventory');
    await page.getByLabel('Kind').selectOption('NetBox');
    await page.getByLabel('Host name').fill('netbox.example');
    await page.locator('#field-filters').fill('europe');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('.field .error', { hasText: /such as region=europe$/ }).waitFor();
    await page.locator('#field-filters').fill('region=europe\ntag=backbone');
    await page.locator('#field-mapping').fill('topologies=region,nodes=location');
    await save(page, 'Inventory');
    await page.getByRole('link', { name: 'Inventory', exact: true }).click();
    await expect.poll(() => page.locator('#field-filters').inputValue()).toBe('region=europe\ntag=backbone');
    expect(await page.locator('#field-mapping').inputValue()).toBe('nodes=location,topologies=region');
    await expect.poll(() => page.getByLabel('Kind').inputValue()).toBe('netbox');
    await shot('source_netbox');
    await deleteHere(page);
  });

  it('a source that is not there says so, and is changed and deleted', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await writeSource(page, 'Nobody', '1');
    await page.getByRole('button', { name: 'Test Connection: Nobody' }).click();
    await page.locator('.notice.error', { hasText: 'Nobody: 127.0.0.1:1: Connection refused' }).waitFor();
    await shot('sources');
    await page.getByRole('link', { name: 'Nobody' }).click();
    await page.getByRole('button', { name: 'Test Connection' }).click();
    await page.locator('form [role=status]', { hasText: /Nobody: ./ }).waitFor();
    await page.getByLabel('Active').uncheck();
    await page.locator('#field-path').fill('maps/live/');
    await save(page, 'Nobody');
    await page.locator('tr', { hasText: 'Nobody' }).getByText('http://127.0.0.1:1/maps/live/').waitFor();
    await page.getByRole('link', { name: 'Nobody' }).click();
    await deleteHere(page);
    await page.getByRole('link', { name: 'Nobody' }).waitFor({ state: 'detached' });
  });

  it('several sources are tested and collected at once', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/sources/');
    const choose = async (action: string) => {
      await page.getByLabel('Select Peer').check();
      await page.getByLabel('Action').selectOption(action);
      await page.getByRole('button', { name: 'Go', exact: true }).click();
    };
    await choose('Check the Status of Selected Sources');
    await page.getByText('Peer: Connected').waitFor();
    await page.reload();
    await choose('Poll the Selected Sources');
    await page.getByText('Collecting from Peer has begun.').waitFor();
    await page.getByRole('button', { name: 'Check All Sources’ Connection Statuses' }).click();
    await page.locator('.notice.error', { hasText: 'Peer: Connected' }).waitFor(); // the neighbour is not there
    await page.getByRole('button', { name: 'Collect All Active Sources’ data' }).click();
    await page.getByText('Collecting from all active sources has begun.').waitFor();
  });

  it('events are deleted one by one and several at once', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/polls/');
    const rows = page.locator('tbody tr');
    await rows.first().waitFor();
    await complete(page);
    await shot('polls');
    const count = await rows.count();
    await rows.first().getByRole('link').click();
    await deleteHere(page);
    await expect.poll(() => rows.count()).toBe(count - 1);
    await page.getByLabel('Select all').check();
    await page.getByLabel('Action').selectOption('Delete selected');
    await page.getByRole('button', { name: 'Go', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing here yet.').waitFor();
  });
}, { options: ['--poll-allow', '127.0.0.0/8'] });
