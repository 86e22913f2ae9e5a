// From a redundancy policy to the independent routes on the map: each with a colour, dashes and a number.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import { call } from '../support/browser.ts';
import { openMap, resolved } from '../support/map_page.ts';
import { browserSuite } from '../support/suite.ts';

interface Check {
  items: { element: { number: number }; routes: { links: number[] }[] | null }[];
}

const legend = (page: Page) => page.getByRole('region', { name: 'Legend' });
const rows = (page: Page) => legend(page).locator('li button');

browserSuite('independent routes', (suite) => {
  const addressOfRoutes = async (page: Page): Promise<string> => {
    const { body } = await call(page, 'GET', 'policies/1/check?all=true');
    const found = (body as unknown as Check).items.find(({ routes }) => (routes?.length ?? 0) > 1);
    return `/?institution=${found!.element.number}&routes=${found!.routes!.map(({ links }) => links.join('.')).join(',')}`;
  };

  it('lead from the policy to the map, where each has a row in the legend', async () => {
    const { page, shot } = await suite.visit({ as: 'viewer' });
    await page.goto('/admin/policies/1/');
    await page.getByRole('checkbox', { name: 'Those that meet it, too' }).check();
    await page.getByRole('link', { name: 'Show the routes on the map' }).first().click();
    await rows(page).first().waitFor();
    await expect.poll(() => rows(page).count()).toBeGreaterThanOrEqual(2);
    expect(await rows(page).first().textContent()).toMatch(/Route 1\d+ links?, [\d,]+ km/);
    await resolved(page);
    await shot('map_routes');
    await expect.poll(() => page.url()).toMatch(/[?&]routes=\d+(\.\d+)*,\d+/);
  });

  it('are numbered on the map, also in the picture that is saved', async () => {
    const { page } = await suite.visit({ as: 'viewer' });
    await openMap(page);
    await openMap(page, await addressOfRoutes(page));
    const svg = await page.evaluate(() =>
      (document.querySelector('.chart') as unknown as { netmlChart: { paintSvg: () => string } }).netmlChart.paintSvg());
    expect(svg).toMatch(/<text[^>]*>1<\/text>/);
    expect(svg).toMatch(/<text[^>]*>2<\/text>/);
    expect(svg).toMatch(/stroke-dasharray="11 5"/);
    expect(svg).toMatch(/Route 2: \d+ link/);
  });

  it('are shown alone, and left again', async () => {
    const { page } = await suite.visit({ as: 'viewer' });
    await openMap(page);
    await openMap(page, await addressOfRoutes(page));
    await rows(page).nth(1).click();
    await expect.poll(() => rows(page).nth(1).getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => rows(page).first().getAttribute('class')).toContain('faint');
    await legend(page).getByRole('button', { name: 'Hide the routes' }).click();
    await legend(page).getByRole('combobox', { name: 'Colour by' }).waitFor();
    await expect.poll(() => page.url()).not.toContain('routes=');
  });

  it('say which links are not on the map', async () => {
    const { page } = await suite.visit();
    await openMap(page, '/?routes=999991.999992');
    await legend(page).getByText('2 links of these routes are not on the map.').waitFor();
  });

  it.each([{ dark: false, width: 1360 }, { dark: true, width: 390 }])('can be read by all: %o', async (wishes) => {
    const { page, shot } = await suite.visit({ as: 'viewer', ...wishes });
    await openMap(page);
    await openMap(page, await addressOfRoutes(page));
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(wishes.width);
    await shot(`map_routes_${wishes.width}`);
  });
});
