// What holds on every page: accessibility, four languages, dark colours, narrow windows; and a
// picture of each. Every visitor watches for requests to other hosts.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { es } from '../../../admin/web/src/i18n/es.ts';
import { fr } from '../../../admin/web/src/i18n/fr.ts';
import { pt } from '../../../admin/web/src/i18n/pt.ts';
import { axeFindings } from '../support/axe.ts';
import { numberOf } from '../support/browser.ts';
import { password } from '../support/node.ts';
import { complete } from '../support/page_state.ts';
import { browserSuite } from '../support/suite.ts';

const lists = ['institutions', 'nodes', 'links', 'topologies', 'file-imports', 'imports', 'sources', 'polls', 'publications', 'views', 'receipts', 'webhooks', 'origins',
  'quality', 'policies', 'rulesets', 'rules', 'overrides', 'settings', 'tokens', 'accounts', 'identities', 'tasks', 'activity', 'changes', 'cluster'];
const additions = ['institutions', 'nodes', 'links', 'topologies', 'sources', 'publications', 'views', 'webhooks', 'origins', 'policies', 'rulesets', 'rules', 'tokens', 'accounts', 'identities'];
const forms: [list: string, words: string, rest?: string][] = [['institutions', 'southern'], ['nodes', 'perugia'], ['nodes', 'perugia', 'history/'],
  ['links', 'bologna'], ['topologies', 'southern'], ['imports', '2012'], ['sources', 'neighbour'], ['publications', 'first'],
  ['policies', 'rome'], ['views', 'public'], ['rulesets', 'decisions'], ['accounts', 'editor']];

// All pages of the administration; those of one record by its number.
async function allPages(page: Page): Promise<string[]> {
  await page.goto('/admin/tasks/');
  const found = ['', ...lists.map((name) => `${name}/`), ...additions.map((name) => `${name}/add/`), 'password/', 'no-such-page/', 'nodes/4000000/'];
  for (const [list, words, rest = ''] of forms) found.push(`${list}/${await numberOf(page, list, words)}/${rest}`);
  const rule = await page.evaluate(async () => {
    const { items } = await (await fetch('/api/v1/rulesets')).json() as { items: { rules: { number: number }[] }[] };
    return items.flatMap(({ rules }) => rules)[0]!.number;
  });
  return [...found, `rules/${rule}/`];
}

const mapPanels = ['Search', 'Owners', 'Research and education networks', 'Filter', 'List', 'Time', 'What if'];

// All rules in light colours, and again in dark ones what depends on colours.
async function findings(page: Page, picture: (colours: string) => Promise<void>): Promise<string[]> {
  const light = await axeFindings(page);
  await picture('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-theme=dark]').waitFor();
  const dark = await axeFindings(page, ['color-contrast']);
  await picture('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark];
}

// What settings and rules are called by the program, and what it says about them.
const serverTexts = (page: Page) => page.evaluate(async () => {
  interface Named { name?: string; type?: string; description?: string }
  const get = async (path: string) => (await fetch(`/api/v1/${path}`)).json() as Promise<Record<'items' | 'criteria' | 'actions', Named[]>>;
  const { items } = await get('settings');
  const { criteria, actions } = await get('rule-types');
  return [...items, ...criteria, ...actions].flatMap(({ name, type, description }) => [name ?? type!, description ?? '']).filter(Boolean);
});

const pictureOf = (path: string) => path.replace(/\d+/, 'one').replace(/\/$/, '').replaceAll('/', '_') || 'start';

browserSuite('every page', (suite) => {
  it('has no finding of axe, of whatever level', async () => {
    const stranger = await suite.visit();
    await stranger.page.goto('/admin/');
    await stranger.page.getByLabel('User name').waitFor();
    const found = await findings(stranger.page, (colours) => stranger.shot(`${colours}/login`));
    const { page, shot } = await suite.visit({ as: 'admin' });
    for (const path of await allPages(page)) {
      await page.goto(`/admin/${path}`);
      await complete(page);
      found.push(...await findings(page, (colours) => shot(`${colours}/${pictureOf(path)}`)));
    }
    await page.goto('/');
    await page.waitForFunction(() => 'netmlChart' in (document.querySelector('.chart') ?? {}));
    for (const name of mapPanels) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.locator('.map-panel, .time-line').first().waitFor();
      found.push(...await findings(page, (colours) => shot(`${colours}/map_${name.toLowerCase().replaceAll(' ', '_')}`)));
    }
    expect(found).toEqual([]);
  }, 600_000);

  it('speaks the language of the browser, from the sign-in on', async () => {
    for (const [locale, title] of [['en', 'Nodes'], ['fr', 'Nœuds'], ['es', 'Nodos'], ['pt', 'Nós']] as const) {
      const { page } = await suite.visit({ locale });
      await page.goto('/admin/nodes/');
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(locale);
      await page.locator('#name').fill('admin');
      await page.locator('#password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
    }
  });

  for (const [locale, messages] of Object.entries({ fr, es, pt })) {
    it(`leaves nothing in English that has words in another language: ${locale}`, async () => {
      const { page, shot } = await suite.visit({ as: 'admin', locale });
      const other = Object.entries(messages).filter(([english, text]) => typeof text === 'string' && text !== english).map(([english]) => english);
      const found: string[] = [];
      for (const path of ['', ...lists.map((name) => `${name}/`), 'nodes/add/', 'sources/add/', 'rules/add/', 'accounts/add/', 'password/']) {
        await page.goto(`/admin/${path}`);
        await complete(page);
        await shot(`${locale}/${pictureOf(path)}`);
        const texts = await page.locator('main, #sections, header, nav').evaluateAll((parts) => parts.flatMap((part) => {
          const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
          const all: string[] = [];
          while (walker.nextNode()) all.push(walker.currentNode.textContent!.trim());
          return all;
        }));
        found.push(...texts.filter((text) => other.includes(text)).map((text) => `${path} ${text}`));
      }
      expect(found).toEqual([]);
      expect((await serverTexts(page)).filter((text) => !(text in messages))).toEqual([]);
    });
  }

  it('changes its language by the switch, and a cookie keeps it', async () => {
    const { page } = await suite.visit({ locale: 'de-CH' });
    await page.goto('/');
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    await page.getByLabel('Language').selectOption('pt');
    await page.getByRole('link', { name: 'Iniciar sessão' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Iniciar sessão' }).waitFor();
  });

  it('keeps the choice of dark colours', async () => {
    const { page } = await suite.visit();
    await page.goto('/');
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Light theme' }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('is of use in a narrow window, with no sideways scrolling', async () => {
    const { page, shot } = await suite.visit({ as: 'admin', width: 390, height: 800 });
    for (const path of await allPages(page)) {
      await page.goto(`/admin/${path}`);
      await complete(page);
      const wide = () => page.evaluate(() => [...document.querySelectorAll('body *')]
        .filter((element) => !element.closest('.table-frame, .start-map, .leaflet-container, .hidden, .skip, .side') && element.getBoundingClientRect().right > innerWidth + 1)
        .map((element) => element.outerHTML.slice(0, 90)));
      await expect.poll(wide, { message: path }).toEqual([]);
      const room = () => page.locator('.property > :nth-child(2)')
        .evaluateAll((inputs) => Math.min(200, ...inputs.map(({ clientWidth }) => clientWidth)));
      await expect.poll(room, { message: `${path}: room for the value of a property` }).toBe(200);
    }
    await shot('narrow');
    await page.getByRole('button', { name: 'Sections' }).click();
    await page.locator('#sections').getByRole('link', { name: 'Tokens' }).click();
    await page.waitForURL(/\/admin\/tokens\//);
  });

  it('has room for all that can be done with a row', async () => {
    const { page } = await suite.visit({ as: 'admin' });
    for (const list of ['sources', 'publications', 'rules']) {
      await page.goto(`/admin/${list}/`);
      await page.locator('.row-actions > *').first().waitFor();
      const cut = () => page.locator('.row-actions > *').evaluateAll((actions) => actions
        .filter((action) => action.getBoundingClientRect().right > action.closest('.table-frame, main')!.getBoundingClientRect().right)
        .map((action) => action.textContent));
      await expect.poll(cut, { message: list }).toEqual([]);
    }
  });

  it('asks in a dialog that fits a narrow window', async () => {
    const { page, shot } = await suite.visit({ as: 'admin', width: 390, height: 800 });
    await page.goto('/admin/institutions/');
    await page.goto(`/admin/institutions/${await numberOf(page, 'institutions', 'southern')}/`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete?' });
    await dialog.getByText(/^All changes/).click();
    await dialog.locator('.changes-list summary').first().click();
    await dialog.locator('.changes').first().waitFor();
    await shot('narrow_dialog');
    const wide = () => dialog.evaluate((box) => [...box.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > box.getBoundingClientRect().right)
      .map((element) => element.outerHTML.slice(0, 90)));
    await expect.poll(wide).toEqual([]);
  });
});
