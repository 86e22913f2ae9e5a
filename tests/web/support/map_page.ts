// What tests and pictures do with the map of a page.
import type { Page } from 'playwright-core';

export interface DrawnLabel {
  text: string;
  box: { left: number; top: number; right: number; bottom: number };
}
interface ChartHandle {
  labels: DrawnLabel[];
  inView: number;
  map: { latLngToContainerPoint: (at: [number, number]) => { x: number; y: number } };
}

export async function openMap(page: Page, address = '/'): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => 'netmlChart' in (document.querySelector('.chart') ?? {}));
  await resolved(page);
}

// The map stands still: no animation, and painted since.
export const resolved = (page: Page) => page.waitForFunction(() => new Promise((resolve) => {
  const pane = document.querySelector('.leaflet-map-pane')!;
  const before = pane.innerHTML;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const isMoving = document.querySelector('.leaflet-zoom-anim, .leaflet-pan-anim') !== null;
    resolve(!isMoving && pane.innerHTML === before);
  }));
}));

// Where on the chart a place of the world is.
export const placeOf = (page: Page, latitude: number, longitude: number) => page.evaluate(([lat, lng]) =>
  (document.querySelector('.chart') as unknown as { netmlChart: ChartHandle }).netmlChart.map.latLngToContainerPoint([lat!, lng!]), [latitude, longitude]);

export async function clickAt(page: Page, latitude: number, longitude: number): Promise<void> {
  await page.locator('.chart').click({ position: await placeOf(page, latitude, longitude) });
}

// The names that the map shows, and where on its canvas.
export const labelsOf = (page: Page) => page.evaluate(() =>
  (document.querySelector('.chart') as unknown as { netmlChart: ChartHandle }).netmlChart.labels.map(({ text, box }) => ({ text, box })));

// Nodes, and circles that stand for several.
export const inViewOf = (page: Page) => page.evaluate(() =>
  (document.querySelector('.chart') as unknown as { netmlChart: ChartHandle }).netmlChart.inView);
