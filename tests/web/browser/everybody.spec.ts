// What holds on every page: accessibility, four languages, dark colours, narrow windows, no request
// to another host (each visitor watches for those), keyboard.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { signIn } from '../support/browser.ts';
import { browserSuite } from '../support/suite.ts';

const pages = ['', 'institutions', 'nodes', 'nodes/add', 'nodes/7', 'nodes/7/history', 'links', 'topologies', 'topologies/1', 'file-imports',
  'imports', 'imports/61', 'sources', 'sources/41', 'polls', 'polls/51', 'publications', 'publications/add', 'origins', 'rulesets', 'rulesets/71',
  'rules', 'rules/72', 'settings', 'tokens', 'tokens/add', 'accounts', 'accounts/2', 'tasks', 'activity', 'password', 'no-such-page'];
const mapPanels = ['Search', 'Owners', 'Research and education networks', 'Filter', 'Text list', 'Time', 'What if'];

async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page: page as never }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze();
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${new URL(page.url()).pathname} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 200)}`));
}

const ready = (page: Page) => page.waitForFunction(() => document.querySelector('main') && !document.querySelector('main [aria-busy=true]'));

browserSuite('every page', (suite) => {
  for (const dark of [false, true]) {
    it(`has no serious finding of axe, ${dark ? 'dark' : 'light'}`, async () => {
      const { page, shot } = await suite.visit({ dark });
      const found: string[] = [];
      await page.goto('/admin/');
      await page.getByLabel('User name').waitFor();
      found.push(...await findings(page));
      await signIn(page);
      for (const path of pages) {
        await page.goto(`/admin/${path ? `${path}/` : ''}`);
        await ready(page);
        found.push(...await findings(page));
        if (dark && ['', 'nodes', 'nodes/7', 'settings'].includes(path)) await shot(`dark_${path.replace('/', '_') || 'start'}`);
      }
      await page.goto('/');
      await page.waitForFunction(() => 'netmlChart' in (document.querySelector('.chart') ?? {}));
      for (const name of mapPanels) {
        await page.getByRole('button', { name, exact: true }).click();
        await page.locator('.map-panel, .time-line').first().waitFor();
        found.push(...await findings(page));
      }
      if (dark) await shot('dark_map');
      expect(found).toEqual([]);
    }, 240_000);
  }

  for (const [locale, title, save] of [['en', 'Network Nodes', 'Done'], ['fr', 'Nœuds du réseau', 'Terminer'], ['es', 'Nodos de red', 'Hecho'],
    ['pt', 'Nós de rede', 'Concluir']] as const) {
    it(`speaks the language of the browser: ${locale}`, async () => {
      const { page, shot } = await suite.visit({ locale });
      await page.goto('/admin/nodes/');
      expect(await page.locator('html').getAttribute('lang')).toBe(locale);
      await page.locator('#name').fill('admin');
      await page.locator('#password').fill('correct horse battery');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: title }).waitFor();
      await shot(`nodes_${locale}`);
      await page.goto('/admin/nodes/add/');
      await page.getByRole('button', { name: save, exact: true }).waitFor();
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
    await page.getByRole('button', { name: 'Dark colours' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Light colours' }).waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('is of use in a narrow window, with no sideways scrolling', async () => {
    const { page, shot } = await suite.visit({ width: 390, height: 800 });
    await signIn(page);
    for (const path of ['', 'nodes/', 'nodes/7/', 'settings/', 'file-imports/']) {
      await page.goto(`/admin/${path}`);
      await ready(page);
      const wide = await page.evaluate(() => [...document.querySelectorAll('body *')]
        .filter((element) => !element.closest('.table-frame, .start-map, .hidden, .skip, .side') && element.getBoundingClientRect().right > innerWidth + 1)
        .map((element) => element.outerHTML.slice(0, 90)));
      expect(wide, path).toEqual([]);
    }
    await shot('narrow');
    await page.getByRole('button', { name: 'Sections' }).click();
    await page.locator('#sections').getByRole('link', { name: 'Tokens' }).click();
    await page.waitForURL(/\/admin\/tokens\//);
  });

  it('is walked with the keyboard: sign in, search, open, change, save', async () => {
    const { page } = await suite.visit();
    await page.goto('/admin/nodes/');
    await page.locator('#name').focus();
    await page.keyboard.type('admin');
    await page.keyboard.press('Tab');
    await page.keyboard.type('correct horse battery');
    await page.keyboard.press('Enter');
    await page.locator('tbody tr').first().waitFor();
    const tabTo = async (test: string) => {
      for (let i = 0; i < 80; i++) {
        if (await page.evaluate((selector) => document.activeElement?.matches(selector), test)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`the keyboard does not reach ${test}`);
    };
    await page.keyboard.press('Tab');
    await tabTo('.search-field input');
    await page.keyboard.type('perugia');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await tabTo('tbody td a');
    await page.keyboard.press('Enter');
    await page.locator('#field-short_name').waitFor();
    await tabTo('#field-short_name');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('PG');
    await tabTo('form.record button[type=submit]');
    await page.keyboard.press('Enter');
    await page.getByText('Saved: Perugia').waitFor();
  });
});
