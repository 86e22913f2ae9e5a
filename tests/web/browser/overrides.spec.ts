// Corrections that stick: made in a form, contested by an import, decided.
import { it } from 'vitest';
import { exampleFile } from '../support/example_file.ts';
import { browserSuite } from '../support/suite.ts';
import { drop, save } from './steps.ts';

const renamed = exampleFile(2012).replace('<grenml:name>Perugia</grenml:name>', '<grenml:name>Perugia Est</grenml:name>');

browserSuite('overrides', (suite) => {
  it('are made with an edit, set again after an import, and decided', async () => {
    const { page, shot } = await suite.visit({ as: 'admin' });
    await page.goto('/admin/nodes/?q=perugia');
    await page.getByRole('link', { name: 'urn:example:node:perugia' }).click();
    await page.getByLabel('Name *', { exact: true }).fill('Perugia, our name');
    await page.getByRole('switch', { name: 'Keep whatever sources deliver' }).check();
    await page.getByLabel('Reason').fill('So it is called here');
    await shot('override_form');
    await save(page, 'Perugia, our name');

    await page.goto('/admin/file-imports/');
    await drop(page, 'map.xml', renamed);
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The import is complete.').first().waitFor();

    await page.goto('/admin/');
    await page.getByRole('link', { name: '1 override is to be decided' }).click();
    const row = page.locator('tbody tr', { hasText: 'Perugia, our name' }).first();
    await row.getByText('Perugia Est').waitFor();
    await row.getByText('To be decided').waitFor();
    await shot('overrides');
    await row.getByRole('button', { name: 'Keep ours' }).click();
    await row.getByText('Counts').waitFor();

    await row.getByRole('link', { name: 'Node Perugia, our name' }).click();
    await page.getByText('name: Perugia, our name is kept').waitFor();
    await page.getByText('the source has Perugia Est').waitFor();
    await page.goto('/admin/overrides/');
    await row.getByRole('button', { name: 'Take the source’s value' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take the source’s value' }).click();
    await page.getByText('the source’s value counts again').waitFor();
    await page.goto('/admin/nodes/?q=perugia');
    await page.getByText('Perugia Est').waitFor();
  });
});
