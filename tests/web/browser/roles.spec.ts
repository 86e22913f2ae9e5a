// What each role may: every request that changes something, from a script of the page; and no page
// has a button that would not work.
import { expect, it } from 'vitest';
import { call } from '../support/browser.ts';
import type { Role } from '../support/node.ts';
import { complete } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';

type Least = 'editor' | 'admin';
const collections = ['topologies', 'institutions', 'nodes', 'links'];
const nobody = 4_000_000; // there is no such number, so that what is allowed changes nothing

// All requests of docs/api.md that change something, with the least role that may.
const changes: [method: string, path: string, least: Least][] = [
  ...collections.flatMap((name): typeof changes => [
    ['POST', name, 'editor'], ['PUT', `${name}/${nobody}`, 'editor'], ['DELETE', `${name}/${nobody}`, 'editor']]),
  ['POST', `topologies/${nobody}/main`, 'editor'], ['POST', `activity/${nobody}/undo`, 'admin'],
  ...[...collections, 'rulesets', 'polls'].map((name): (typeof changes)[number] => ['POST', `${name}/delete`, 'editor']),
  ...['rulesets', 'rules'].flatMap((name): typeof changes => [
    ['POST', name, 'editor'], ['PUT', `${name}/${nobody}`, 'editor'], ['DELETE', `${name}/${nobody}`, 'editor']]),
  ['POST', `rules/${nobody}/apply`, 'editor'], ['POST', `rules/${nobody}/clone`, 'editor'], ['POST', 'rulesets/import', 'editor'],
  ['POST', `plans/${nobody}/again`, 'editor'],
  ['POST', 'imports', 'editor'], ['POST', `plans/${nobody}/apply`, 'editor'], ['DELETE', `plans/${nobody}`, 'editor'],
  ['POST', 'publications', 'editor'],
  ['POST', 'polls', 'editor'], ['DELETE', `polls/${nobody}`, 'editor'],
  ['POST', `sources/${nobody}/test`, 'editor'], ['POST', `sources/${nobody}/collect`, 'editor'],
  ...['sources', 'origins', 'tokens', 'accounts', 'identities', 'webhooks'].flatMap((name): typeof changes => [
    ['POST', name, 'admin'], ['PUT', `${name}/${nobody}`, 'admin'], ['DELETE', `${name}/${nobody}`, 'admin'],
    ['POST', `${name}/delete`, 'admin']]),
  ['POST', `tokens/${nobody}/reveal`, 'admin'], ['POST', `tokens/${nobody}/regenerate`, 'admin'],
  ...['secret', 'resume', 'test'].map((what): (typeof changes)[number] => ['POST', `webhooks/${nobody}/${what}`, 'admin']),
  ['PUT', 'settings/GREN_MAP_INITIAL_MAP_ZOOM', 'admin'], ['DELETE', 'settings/GREN_MAP_INITIAL_MAP_ZOOM', 'admin'],
];
const secrets = ['tokens', `tokens/${nobody}`, 'accounts', `accounts/${nobody}`, 'identities', 'receipts', 'webhooks', `webhooks/${nobody}/deliveries`];
const rank: Record<Role, number> = { viewer: 0, editor: 1, admin: 2 };

// What changes something on each page, with the least role that finds it there.
const controls: Record<string, [role: 'button' | 'link' | 'checkbox' | 'switch' | 'combobox', name: string | RegExp, least: Least][]> = {
  ...Object.fromEntries(collections.map((name) => [`${name}/`, [['link', 'Add', 'editor'], ['checkbox', 'Select all', 'editor']]])),
  'file-imports/': [['button', 'Preview import', 'editor']],
  'sources/': [['link', 'Add', 'admin'], ['button', /^Test Connection/, 'editor'], ['button', /^Collect GRENML Data/, 'editor'],
    ['button', 'Collect All Active Sources’ data', 'editor'], ['button', 'Check All Sources’ Connection Statuses', 'editor'],
    ['checkbox', 'Select all', 'editor']],
  'publications/': [['link', 'Add', 'editor']],
  'origins/': [['link', 'Add', 'admin']],
  'rulesets/': [['link', 'Add', 'editor'], ['button', 'Import rulesets', 'editor'], ['checkbox', 'Select all', 'editor']],
  'rules/': [['link', 'Add', 'editor'], ['button', /^Apply Rule/, 'editor'], ['button', /^Clone Rule/, 'editor']],
  'activity/': [['button', /^Undo: /, 'admin']],
  'settings/': [['button', /^Save: /, 'admin'], ['button', /^Reset to default value: /, 'admin']],
};
const forms: [list: string, words: string, least: Least][] = [
  ...collections.map((name): (typeof forms)[number] => [name, name === 'links' ? 'bologna' : 'example', 'editor']),
  ['sources', 'neighbour', 'admin'], ['rulesets', 'decisions', 'editor'],
];

browserSuite('roles', (suite) => {
  it('a visitor may change nothing, and is sent to the sign-in from every page', async () => {
    const { page } = await suite.visit();
    await page.goto('/');
    const answers = await Promise.all(changes.map(([method, path]) => call(page, method, path, {})));
    expect(answers.map(({ status }, index) => `${changes[index]!.join(' ')}: ${status}`))
      .toEqual(changes.map((change) => `${change.join(' ')}: 401`));
    for (const path of Object.keys(controls)) {
      await page.goto(`/admin/${path}`);
      await page.waitForURL(/\/admin\/login\/\?next=/);
    }
  });

  for (const role of ['viewer', 'editor', 'admin'] as const) {
    it(`${role}: requests`, async () => {
      const { page } = await suite.visit({ as: role });
      await page.goto('/admin/tasks/');
      for (const [method, path, least] of changes) {
        const { status, body } = await call(page, method, path, {});
        const refused = status === 403 && body?.error?.code === 'not-allowed';
        expect(`${method} ${path}: ${refused}`).toBe(`${method} ${path}: ${rank[role] < rank[least]}`);
      }
      for (const path of secrets) {
        const { status } = await call(page, 'GET', path);
        expect(`${path}: ${status === 403}`).toBe(`${path}: ${role !== 'admin'}`);
      }
    });

    it(`${role}: pages`, async () => {
      const { page } = await suite.visit({ as: role });
      for (const [path, wanted] of Object.entries(controls)) {
        await page.goto(`/admin/${path}`);
        await complete(page);
        for (const [kind, name, least] of wanted) {
          const exact = typeof name === 'string';
          const isThere = async () => await page.locator('main').getByRole(kind, { name, exact }).count() > 0;
          await expect.poll(isThere, { message: `${path} ${name}` }).toBe(rank[role] >= rank[least]);
        }
      }
      for (const [list, words, least] of forms) {
        await page.goto(`/admin/${list}/?q=${words}`);
        await page.locator('tbody a').first().click();
        await page.locator('form.record').waitFor();
        await complete(page);
        const may = rank[role] >= rank[least];
        const shown = () => Promise.all(['Done', 'Delete'].map((name) => page.getByRole('button', { name, exact: true }).count()));
        await expect.poll(shown, { message: list }).toEqual(may ? [1, 1] : [0, 0]);
        const isDisabled = () => page.locator('form.record').locator('input, select, textarea').first().isDisabled();
        await expect.poll(isDisabled, { message: list }).toBe(!may);
      }
      const listed = () => page.locator('#sections').getByRole('link', { name: /^(Tokens|Accounts|Federated identities|Webhooks)$/ }).count();
      await expect.poll(listed).toBe(role === 'admin' ? 4 : 0);
      for (const path of ['tokens', 'accounts', 'identities', 'webhooks']) {
        await page.goto(`/admin/${path}/`);
        if (role === 'admin') await page.getByRole('link', { name: 'Add', exact: true }).waitFor();
        else await page.getByRole('alert').getByText('There is no such page.').waitFor();
      }
    });
  }
});
