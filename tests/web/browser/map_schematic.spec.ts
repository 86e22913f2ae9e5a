// The schematic view: a layout without a globe, nodes that are moved, and what stays as it was.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import { openMap, resolved } from '../support/map_page.ts';
import { browserSuite } from '../support/suite.ts';

interface Shown {
  x: Float64Array;
  y: Float64Array;
  nodeAt: (number: number) => number | undefined;
}
interface ChartHandle {
  inView: number;
  paintSvg: () => string;
  map: { project: (at: object, zoom: number) => { x: number; y: number }; getZoom: () => number; getPixelBounds: () => { min: { x: number; y: number } } };
  model: { network: { value: Shown }; schematic: { isBusy: { value: boolean } } };
}
type Holder = { netmlChart: ChartHandle };

const button = (page: Page) => page.getByRole('button', { name: 'Schematic view' });
const note = (page: Page) => page.locator('.schematic-note');

// All is arranged, and drawn.
async function arranged(page: Page): Promise<void> {
  await note(page).getByText(/Nodes can be dragged|kept in this browser/).waitFor();
  await resolved(page);
}

// Where on the chart a node is.
const pointOf = (page: Page, number: number) => page.evaluate((wanted) => {
  const { map, model } = (document.querySelector('.chart') as unknown as Holder).netmlChart;
  const { x, y, nodeAt } = model.network.value;
  const scale = 256 * 2 ** map.getZoom();
  const { min } = map.getPixelBounds();
  return { x: x[nodeAt(wanted)!]! * scale - min.x, y: y[nodeAt(wanted)!]! * scale - min.y };
}, number);

const numberOf = (page: Page, name: string) => page.evaluate(async (wanted) => {
  const { nodes } = await (await fetch('/api/v1/map')).json() as { nodes: { number: number[]; name: string[] } };
  return nodes.number[nodes.name.indexOf(wanted)]!;
}, name);

const drawer = (page: Page) => page.locator('.map-drawer');

browserSuite('the schematic view', (suite) => {
  it('is a button away, and the address says so; the globe is as it was before', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page, '/?view=42.5,12.5,6.5');
    const viewBefore = new URL(page.url()).searchParams.get('view');
    await button(page).click();
    await arranged(page);
    await expect.poll(() => page.url()).toContain('layout=schematic');
    await shot('map_schematic');
    await expect.poll(() => page.locator('.leaflet-control-scale').isVisible()).toBe(false);
    await button(page).click();
    await expect.poll(() => page.url()).not.toContain('layout');
    await expect.poll(() => new URL(page.url()).searchParams.get('view')).toBe(viewBefore);
  });

  it('opens from its address, with colours, filter and selection', async () => {
    const { page } = await suite.visit();
    await openMap(page);
    const number = await numberOf(page, 'Trieste');
    await openMap(page, `/?layout=schematic&node=${number}&colour=owner`);
    await arranged(page);
    await expect.poll(() => button(page).getAttribute('aria-pressed')).toBe('true');
    await drawer(page).getByRole('heading', { name: 'Trieste' }).waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Colour by' }).inputValue()).toBe('owner');
  });

  it('a click selects a node, and dragging it moves it for good', async () => {
    const { page, shot } = await suite.visit();
    await openMap(page, '/?layout=schematic');
    await arranged(page);
    const number = await numberOf(page, 'Trieste');
    const box = (await page.locator('.chart').boundingBox())!;
    const from = await pointOf(page, number);
    await page.mouse.click(box.x + from.x, box.y + from.y);
    await drawer(page).getByRole('heading', { name: 'Trieste' }).waitFor();
    await page.keyboard.press('Escape');
    await drawer(page).waitFor({ state: 'detached' });
    await page.mouse.move(box.x + from.x, box.y + from.y);
    await page.mouse.down();
    await page.mouse.move(box.x + from.x + 60, box.y + from.y - 40, { steps: 5 });
    await page.mouse.up();
    await note(page).getByText('1 moved node is kept in this browser.').waitFor();
    const to = await pointOf(page, number);
    expect(Math.hypot(to.x - from.x - 60, to.y - from.y + 40)).toBeLessThan(2); // the pointer has whole pixels
    expect(await drawer(page).count()).toBe(0); // it was no click
    await shot('map_schematic_moved');
    await expect.poll(() => page.url()).toMatch(new RegExp(`moved=${number}\\.\\d+\\.\\d+`));
    await page.goto('about:blank');
    await openMap(page, '/?layout=schematic');
    await note(page).getByText('1 moved node is kept in this browser.').waitFor();
    await note(page).getByRole('button', { name: 'Put them back' }).click();
    await note(page).getByText('Nodes can be dragged').waitFor();
    await expect.poll(() => page.url()).not.toContain('moved=');
  });

  it('moves a node by keyboard', async () => {
    const { page } = await suite.visit();
    await openMap(page);
    const number = await numberOf(page, 'Bari');
    await openMap(page, `/?layout=schematic&node=${number}`);
    await arranged(page);
    const from = await pointOf(page, number);
    await page.getByRole('button', { name: 'Move right' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(async () => Math.round((await pointOf(page, number)).x - from.x)).toBe(32);
  });

  it('is saved as SVG without globe and scale', async () => {
    const { page } = await suite.visit();
    await openMap(page, '/?layout=schematic');
    await arranged(page);
    const svg = await page.evaluate(() => (document.querySelector('.chart') as unknown as Holder).netmlChart.paintSvg());
    expect(svg).toContain('Example Research Network');
    expect(svg).not.toContain('Natural Earth');
    expect(svg).not.toMatch(/>\d+ km</);
  });

  it('shows nodes without a place', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await openMap(page);
    const count = async () => page.evaluate(() => (document.querySelector('.chart') as unknown as Holder).netmlChart.inView);
    const before = await count();
    const made = await page.evaluate(async () => {
      const session = await (await fetch('/api/v1/session')).json() as { csrf: string };
      const { institutions, topologies } = await (await fetch('/api/v1/map')).json() as Record<'institutions' | 'topologies', { number: number[] }>;
      const body = JSON.stringify({ id: 'urn:example:node:nowhere', name: 'Nowhere', topologies: [topologies.number[0]], owners: [institutions.number[0]], properties: [] });
      const answer = await fetch('/api/v1/nodes', { method: 'POST', body, headers: { 'Content-Type': 'application/json', 'X-Netml-Csrf': session.csrf } });
      return `${answer.status} ${await answer.text()}`;
    });
    expect(made).toMatch(/^201/);
    await openMap(page);
    expect(await count()).toBe(before);
    await button(page).click();
    await arranged(page);
    await expect.poll(count).toBe(before + 1);
  });

  it.each([{ dark: false, width: 1360 }, { dark: true, width: 390 }])('can be read by all: %o', async (wishes) => {
    const { page, shot } = await suite.visit(wishes);
    await openMap(page, '/?layout=schematic');
    await arranged(page);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(wishes.width);
    await shot(`map_schematic_${wishes.width}`);
  });
});
