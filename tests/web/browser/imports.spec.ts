// Files: dropped, planned, applied; and what is refused.
import { expect, it } from 'vitest';
import { exampleFile } from '../support/example_file.ts';
import { holdAnswers } from '../support/held_answers.ts';
import { complete } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';
import { drop, pick } from './steps.ts';

// The example as it is, but for a new node, a new link and an address.
const added = `<grenml:Link id="urn:example:link:siena"><grenml:name>Firenze – Siena</grenml:name>
<grenml:owner>urn:example:inst:ern</grenml:owner><grenml:node>urn:example:node:firenze</grenml:node><grenml:node>urn:example:node:siena</grenml:node></grenml:Link>
<grenml:Node id="urn:example:node:siena"><grenml:name>Siena</grenml:name><grenml:owner>urn:example:inst:ern</grenml:owner>
<grenml:Location><grenml:long>11.33</grenml:long><grenml:lat>43.318</grenml:lat></grenml:Location></grenml:Node>\n`;
const map = exampleFile(2012).replace('<grenml:Node ', `${added}<grenml:Node `)
  .replace('<grenml:lat>41.893</grenml:lat>', '<grenml:lat>41.893</grenml:lat><grenml:address>Via dei Tizii 6</grenml:address>');
const islands = `<?xml version="1.0" encoding="UTF-8"?>
<grenml:Topology id="urn:example:islands" xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml" xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#">
<grenml:name>Islands</grenml:name><grenml:owner>urn:example:inst:islands</grenml:owner>
<grenml:Institution id="urn:example:inst:islands"><grenml:name>University of the Islands</grenml:name></grenml:Institution>
</grenml:Topology>\n`;

browserSuite('imports', (suite) => {
  it('a dropped file is planned, looked at and applied, with progress', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/file-imports/');
    await drop(page, 'map.xml', map);
    await page.getByText('map.xml').waitFor();
    await shot('file_import');
    const upload = await holdAnswers(page, /\/imports$/, 'POST'); // until the bar was seen
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByRole('progressbar').waitFor();
    await upload.letGo();
    await page.getByText('2 would be added').waitFor();
    await page.locator('.changes-list summary', { hasText: 'Roma' }).click();
    await page.getByText('Via dei Tizii 6').waitFor();
    await shot('import_plan');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('.notice', { hasText: 'The import is complete.' }).hover(); // so it stays
    await page.waitForURL(/\/admin\/imports\/\d+\//);
    await page.getByText('Complete', { exact: true }).waitFor();
    await page.getByText('netml – a NetML file', { exact: true }).waitFor();
    await shot('data_import');
    await page.locator('.notice', { hasText: 'The import is complete.' }).getByRole('button', { name: 'Undo' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo this change?' });
    await dialog.getByText('2 would be deleted').waitFor();
    await dialog.locator('.changes-list summary', { hasText: 'Siena' }).first().waitFor();
    await shot('undo_import');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('a plan that is discarded changes nothing', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/imports/');
    await complete(page);
    const before = await page.locator('tbody tr').count();
    expect(before).toBeGreaterThan(0);
    await page.goto('/admin/file-imports/');
    await drop(page, 'map.xml', map.replace('>Siena<', '>Siena Nord<')); // the first test has stored the other
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByRole('button', { name: 'Discard' }).waitFor();
    await page.goto('/admin/file-imports/'); // the plan waits until somebody decides
    await page.getByRole('button', { name: 'Preview: map.xml' }).click();
    const noneListed = page.waitForResponse(async (answer) => answer.url().endsWith('/api/v1/plans?limit=50')
      && ((await answer.json()) as { items: unknown[] }).items.length === 0);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.locator('.drop').waitFor();
    await noneListed;
    await page.getByText('Previews waiting for a decision').waitFor({ state: 'detached' });
    await page.goto('/admin/imports/');
    await complete(page);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(before);
  });

  it('a plan that no longer fits is planned again, and tells what differs', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    const upload = async (name: string, text: string) => {
      await page.goto('/admin/file-imports/');
      await drop(page, name, text);
      await page.getByRole('button', { name: 'Preview import' }).click();
      await page.getByRole('button', { name: 'Apply' }).waitFor();
    };
    const renamed = (to: string) => map.replace('>Siena<', `>${to}<`);
    await upload('held.xml', renamed('Siena Est'));
    await upload('other.xml', renamed('Siena Ovest'));
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The import is complete.').waitFor();

    await page.goto('/admin/file-imports/');
    await page.getByRole('button', { name: 'Preview: held.xml' }).click();
    await page.locator('.plan .stops', { hasText: 'It would do something else now to 1 element.' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Apply' }).count()).toBe(0);
    await shot('plan_stale');
    await page.getByRole('button', { name: 'Plan again' }).click();
    const differences = page.getByRole('region', { name: 'What is different from the first plan' });
    await differences.getByText('1 element differs.').waitFor();
    await differences.getByText('changed on the map since the first plan').waitFor();
    await differences.locator('summary').click();
    const row = differences.getByRole('row', { name: 'Name Siena Siena Ovest Siena Est' });
    await row.waitFor();
    await shot('plan_again');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The import is complete.').waitFor();
  });

  it('a known network stays where it is, and a move to another place is said first', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    const plan = async (place: string, below = '') => {
      await page.goto('/admin/file-imports/');
      await drop(page, 'islands.xml', islands);
      if (place) await page.getByLabel('Parent topology').selectOption(place);
      if (below) await pick(page, 'Below', below);
      await page.getByRole('button', { name: 'Preview import' }).click();
      await page.getByRole('button', { name: 'Apply' }).waitFor();
    };
    await plan('Below another topology', 'Southern Region');
    await page.getByText('Parent topology: Southern Region').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The import is complete.').waitFor();

    await plan('');
    await page.getByText('Parent topology: Southern Region').waitFor();
    await page.getByText('Nothing would change: the map already is as the file says.').waitFor();
    await complete(page);
    await expect.poll(() => page.locator('.plan').locator('.stops, .changes-list, .counts').count()).toBe(0);
    await expect.poll(() => page.locator('.plan').innerText()).not.toMatch(/\d/);
    await shot('import_stays');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.locator('.drop').waitFor();

    await plan('At the top level, beside the other maps');
    await page.locator('.plan .stops', { hasText: 'Islands moves: from below Southern Region to the top level.' }).waitFor();
    await page.getByText('It will no longer be exported to peers.').waitFor();
    await page.locator('button.danger', { hasText: 'Apply and leave the export' }).waitFor();
    await shot('import_moves');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('a table that is filled in sets values of elements that are there', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/file-imports/');
    await drop(page, 'filled.csv', 'Code;Adresse\nurn:example:node:roma;Via Nova 1\n');
    await page.getByLabel('Parent topology').selectOption('Nowhere new: only values of elements that are there');
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText('Choose the topology that is updated.').waitFor();
    await pick(page, 'Topology', 'Example Research Network');
    await page.getByLabel('What columns are').fill('Code=identifier\nAdresse=address');
    await shot('import_update');
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText('Values of elements of: Example Research Network').waitFor();
    await page.locator('.changes-list summary', { hasText: 'Roma' }).click();
    await page.getByText('Via Nova 1').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.locator('.drop').waitFor();
  });

  it('files that cannot be are refused before they are sent', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/file-imports/');
    const button = page.getByRole('button', { name: 'Preview import' });
    await button.click();
    await page.getByText('Choose a file first.').waitFor();
    await drop(page, 'map.xlsx', 'x');
    await button.click();
    await page.getByText('A spreadsheet needs a topology name.').waitFor();
  });

  it('a file of no known format is refused with those that are', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/file-imports/');
    await drop(page, 'notes.txt', 'x');
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText(/'notes.txt' cannot be imported; the name must end in .*graphml/).waitFor();
    await page.locator('.drop').waitFor();
  });

  it('what a file of another format says and the map does not hold is shown with its place', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/file-imports/');
    await drop(page, 'ring.graphml', `<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph id="Ring" edgedefault="undirected">
<node id="a"/><node id="b"/><edge source="a" target="b" directed="true"/></graph></graphml>`);
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText('Format: graphml – a GraphML file').waitFor();
    await page.getByText('1 of 7 fields are lost.').waitFor();
    await page.getByText('a link has no direction').first().waitFor();
    await page.getByText('Places in the file').click();
    await page.getByText('2:29', { exact: true }).waitFor();
    await shot('import_losses');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('a file that is exported tells what it would lack', async () => {
    const { page, shot } = await suite.visit({ as: 'viewer' });
    await page.goto('/admin/exports/');
    await page.getByText('The file holds all that the map has.').waitFor();
    await page.getByLabel('Format').selectOption('xlsx');
    await page.getByText('A file of this format holds one topology: choose it.').waitFor();
    await page.getByLabel('Format').selectOption('graphml');
    await page.getByText('The file holds all that the map has.').waitFor();
    await shot('export_file');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('map.graphml');
  });

  it('a file that is no map is refused with the reason', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/file-imports/');
    await drop(page, 'broken.xml', 'this is no XML');
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText(/line 1/).waitFor();
    await page.locator('.drop').waitFor();
  });
});
