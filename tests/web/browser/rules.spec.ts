// Rules and rulesets: made, looked after, tried, applied, cloned, carried to another node.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { call, numberOf } from '../support/browser.ts';
import { focusIsOn, tabTo } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';
import { deleteHere, save, savedText } from './steps.ts';

async function writeRule(page: Page, name: string, id: string, enabled = false): Promise<void> {
  await page.locator('#rule-name').fill(name);
  await page.locator('#rule-enabled').setChecked(enabled); // an enabled one runs as soon as it is saved
  const criterion = page.getByRole('group', { name: 'Match criteria 1' });
  await criterion.getByLabel('Type 1').selectOption('Match Nodes by ID');
  await criterion.getByText('missing').waitFor();
  await criterion.getByRole('textbox', { name: 'ID' }).fill(id);
  await page.getByRole('group', { name: 'Rule actions 1' }).getByLabel('Type 1').selectOption('Delete Node');
}

browserSuite('rules', (suite) => {
  it('go from creation by trying to the effect', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rulesets/add/');
    await page.locator('#field-name').fill('Clean-up');
    await save(page, 'Clean-up');
    await page.getByRole('link', { name: 'Clean-up' }).click();
    await page.getByRole('link', { name: 'Add a rule' }).click();
    await writeRule(page, 'No node in Udine', 'urn:example:node:udine');
    await shot('rule');
    await save(page, 'No node in Udine');
    await page.getByRole('button', { name: 'Try: No node in Udine' }).click();
    await page.getByRole('dialog').getByText('Nothing was changed.').waitFor();
    await page.getByRole('dialog').locator('.changes-list summary', { hasText: 'urn:example:node:udine' }).waitFor();
    await shot('rule_tried');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Apply Rule: No node in Udine', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Apply Rule: No node in Udine' });
    await dialog.getByText('This rule is disabled. It runs this once all the same.').waitFor();
    await dialog.getByText('The rule matches 1 record.').waitFor();
    await dialog.getByText('2 would be deleted').waitFor(); // with its link
    await dialog.locator('.changes-list summary', { hasText: 'Udine' }).first().waitFor();
    await shot('rule_apply');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.goto('/admin/nodes/?q=udine');
    await page.getByRole('link', { name: 'urn:example:node:udine' }).waitFor();
    await page.goto('/admin/rules/');
    await page.getByRole('button', { name: 'Apply Rule: No node in Udine', exact: true }).click();
    await dialog.getByRole('button', { name: 'Apply Rule' }).click();
    await page.getByText(/^No node in Udine: .*2 removed/).waitFor();
    await page.goto('/admin/nodes/?q=udine');
    await page.getByText('No match.').waitFor();
  });

  it('of a file are rehearsed on the history', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rulesets/');
    const rule = {
      name: 'No node in Trento',
      match_criteria: [{ match_type: 'Match Nodes by ID', matchinfo_set: [{ key: 'ID', value: 'urn:example:node:trento' }] }],
      actions: [{ action_type: 'Delete Node', actioninfo_set: [] }],
    };
    const file = Buffer.from(JSON.stringify([{ name: 'Rehearsed', rules: [rule] }]));
    await page.locator('#rehearsal-file').setInputFiles({ name: 'rules.json', mimeType: 'application/json', buffer: file });
    const dialog = page.getByRole('dialog', { name: 'Rehearse: rules.json' });
    await dialog.getByLabel('Since').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Rehearse' }).click();
    await dialog.getByText('The map would be different now:').waitFor();
    await dialog.locator('.changes-list summary', { hasText: 'urn:example:node:trento' }).first().waitFor();
    await shot('rules_rehearsed');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.goto('/admin/nodes/?q=trento');
    await page.getByRole('link', { name: 'urn:example:node:trento' }).waitFor();
  });

  it('are applied as previewed, or previewed again', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rules/add/');
    await writeRule(page, 'No node in Padova', 'urn:example:node:padova');
    await save(page, 'No node in Padova');
    await page.getByRole('button', { name: 'Apply Rule: No node in Padova', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Apply Rule: No node in Padova' });
    await dialog.getByText('The rule matches 1 record.').waitFor();
    const number = await numberOf(page, 'nodes', 'padova');
    const { body } = await call(page, 'GET', `nodes/${number}`);
    await call(page, 'PUT', `nodes/${number}`, { ...body, id: 'urn:example:node:elsewhere' });
    await dialog.getByRole('button', { name: 'Apply Rule' }).click();
    await dialog.getByText('The map has changed since the preview. This is what would happen now.').waitFor();
    await dialog.getByText('The rule matches 0 records.').waitFor();
    await shot('rule_apply_moved');
    await expect.poll(() => dialog.getByRole('button', { name: 'Apply Rule' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('are cloned, changed and deleted', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rules/');
    await page.getByRole('button', { name: 'Clone Rule: Roma is one node' }).click();
    await page.getByText(/^Cloned: Roma is one node\. The copy is disabled\. \d+ rules ran and changed nothing on the map\.$/).waitFor();
    await page.locator('tr', { hasText: 'Roma is one node 1' }).getByRole('img', { name: 'No', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Roma is one node 1' }).click();
    await page.locator('#rule-name').fill('Rome is one node');
    await page.getByRole('group', { name: 'Match criteria 1' }).getByRole('textbox', { name: 'ID' }).fill('urn:example:node:milano');
    await page.locator('#rule-priority').fill('5');
    await save(page, 'Rome is one node');
    const row = page.locator('tr', { hasText: 'Rome is one node' });
    await expect.poll(() => row.locator('td').nth(2).textContent()).toBe('5');
    await page.getByRole('link', { name: 'Rome is one node' }).click();
    await deleteHere(page);
    await row.waitFor({ state: 'detached' });
  });

  it('are tried as they are typed, and nothing is stored', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rules/add/');
    await writeRule(page, 'Only typed', 'urn:example:node:ferrara', true);
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Try: Only typed' });
    await dialog.getByText('The rule matches 1 record.').waitFor();
    await dialog.getByText('2 would be deleted').waitFor(); // with its link
    await dialog.getByText('Nothing was changed.').waitFor();
    await shot('rule_tried_as_typed');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await focusIsOn(page.getByRole('button', { name: 'Try', exact: true }));
    await page.goto('/admin/rules/');
    await page.getByRole('link', { name: 'Roma is one node', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Only typed' }).count()).toBe(0);
  });

  it('that would change the map are previewed before they are saved, and the notice tells what ran', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rules/add/');
    await writeRule(page, 'No node in Ferrara', 'urn:example:node:ferrara', true);
    await page.getByRole('button', { name: 'Done' }).click();
    const dialog = page.getByRole('dialog', { name: 'Preview: No node in Ferrara' });
    await dialog.getByText('2 would be deleted').waitFor();
    await dialog.getByText('No node in Ferrara: changes 2 records').waitFor();
    await dialog.locator('.changes-list summary', { hasText: 'urn:example:node:ferrara' }).waitFor();
    await dialog.getByText('An administrator can undo this under Activity.').waitFor();
    await shot('rule_preview');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await numberOf(page, 'nodes', 'ferrara')).toBeGreaterThan(0);
    await focusIsOn(page.getByRole('button', { name: 'Done' }));
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Save and remove 2 from the map' }).waitFor();
    await tabTo(page, 'dialog button.danger:enabled');
    await page.keyboard.press('Enter');
    await page.getByText(/^Saved: No node in Ferrara\. \d+ rules ran: 2 removed\.$/).waitFor();
    await shot('rule_saved');
    await page.goto('/admin/nodes/?q=ferrara');
    await page.getByText('No match.').waitFor();
  });

  it('that lack something tell what', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rules/add/');
    await writeRule(page, 'Half a rule', '');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText(savedText('Half a rule')).waitFor();
    const row = page.locator('tr', { hasText: 'Half a rule' });
    await row.locator('.state.bad').waitFor();
    await shot('rules');
    await page.goto('/admin/rulesets/');
    await page.getByText('Misconfigured').waitFor();
    await shot('rulesets');
    await page.goto('/admin/rules/');
    await page.getByRole('button', { name: 'Apply Rule: Half a rule' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await expect.poll(() => page.getByRole('dialog').getByRole('button', { name: 'Apply Rule' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Half a rule' }).click();
    await deleteHere(page);
  });
});

browserSuite('rulesets', (suite) => {
  it('are added, changed and deleted', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rulesets/add/');
    await page.locator('#field-name').fill('For a while');
    await page.getByLabel('Priority').fill('7');
    await save(page, 'For a while');
    await page.getByRole('link', { name: 'For a while' }).click();
    await page.getByLabel('Enabled').uncheck();
    await save(page, 'For a while');
    await page.locator('tr', { hasText: 'For a while' }).getByRole('img', { name: 'No' }).waitFor();
    await page.getByRole('link', { name: 'For a while' }).click();
    await deleteHere(page);
    await page.getByRole('link', { name: 'For a while' }).waitFor({ state: 'detached' });
  });

  it('that are enabled or deleted tell first what rules would do, and which rules go', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rulesets/add/');
    await page.locator('#field-name').fill('Later');
    await page.getByLabel('Enabled').uncheck();
    await save(page, 'Later');
    for (const city of ['sassari', 'matera']) {
      await page.goto('/admin/rulesets/');
      await page.getByRole('link', { name: 'Later' }).click();
      await page.getByRole('link', { name: 'Add a rule' }).click();
      await writeRule(page, `No node in ${city}`, `urn:example:node:${city}`, city === 'sassari');
      await save(page, `No node in ${city}`); // its ruleset is disabled
    }
    await page.goto('/admin/rulesets/');
    await page.getByRole('link', { name: 'Later' }).click();
    await page.getByLabel('Enabled').check();
    await page.getByRole('button', { name: 'Done' }).click();
    const preview = page.getByRole('dialog', { name: 'Preview: Later' });
    await preview.getByText('No node in sassari: changes 2 records').waitFor();
    await shot('ruleset_preview');
    await preview.getByRole('button', { name: 'Save and remove 2 from the map' }).click();
    await page.getByText(/^Saved: Later\. \d+ rules ran: 2 removed\.$/).waitFor();

    await page.getByRole('link', { name: 'Later' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const deletion = page.getByRole('dialog', { name: 'Delete?' });
    await deletion.getByText('And with it: 2 rules').waitFor();
    await deletion.getByText('No node in matera').waitFor();
    await deletion.getByText('Nothing changes on the map.').waitFor();
    await shot('ruleset_deletion');
    await deletion.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/^Deleted: Later\. \d+ rules ran and changed nothing on the map\.$/).waitFor();
  });

  it('that come in a file and would change the map are previewed', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rulesets/');
    const rule = {
      name: 'No node in Trento', enabled: true, priority: 5,
      match_criteria: [{ match_type: 'Match Nodes by ID', matchinfo_set: [{ key: 'ID', value: 'urn:example:node:trento' }] }],
      actions: [{ action_type: 'Delete Node', actioninfo_set: [] }],
    };
    const file = JSON.stringify([{ name: 'From a file', enabled: true, priority: 5, rules: [rule] }]);
    await page.locator('#rules-file').setInputFiles({ name: 'rules.json', mimeType: 'application/json', buffer: Buffer.from(file) });
    const preview = page.getByRole('dialog', { name: 'Preview: rules.json' });
    await preview.getByText('2 would be deleted').waitFor();
    await preview.getByRole('button', { name: 'Import and remove 2 from the map' }).waitFor();
    await shot('rulesets_import');
    await page.keyboard.press('Escape');
    await preview.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'Decisions' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'From a file' }).count()).toBe(0);
  });

  it('are exported and imported again', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rulesets/');
    await page.getByRole('link', { name: 'Decisions' }).waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export Ruleset(s) to file' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^rulesets_\d{4}-\d\d-\d\dT\d{6}\.json$/);
    const text = await readFile(await download.path(), 'utf8');
    const renamed = text.replaceAll('"Decisions"', '"Decisions of others"').replaceAll('Roma is one node', 'Rome is one node');
    expect(renamed).not.toBe(text);
    const choose = (content: string) => page.locator('#rules-file')
      .setInputFiles({ name: 'rules.json', mimeType: 'application/json', buffer: Buffer.from(content) });
    await choose(renamed);
    await page.getByText(/^Rulesets imported: \d+, discarded: \d+\. \d+ rules ran and changed nothing on the map\.$/).waitFor();
    await page.getByRole('link', { name: 'Decisions of others' }).waitFor();
    await choose('this is no JSON');
    await page.locator('.notice.error').waitFor();
  });
});
