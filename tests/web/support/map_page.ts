// What tests and pictures do with the map of a page.
import type { Page } from 'playwright-core';

export interface DrawnLabel {
  text: string;
  box: { left: number; top: number; right: number; bottom: number };
}
interface ChartHandle {
  labels: DrawnLabel[];
  inView: number;
  isPainting: boolean;
  map: { latLngToContainerPoint: (at: [number, number]) => { x: number; y: number } };
}

export async function openMap(page: Page, address = '/'): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => 'netmlChart' in (document.querySelector('.chart') ?? {}));
  await resolved(page);
}

// The map stands still: no animation, and painted since. One check takes two frames, so it is repeated here:
// waitForFunction() takes any promise for an answer.
export const resolved = (page: Page) => page.evaluate(async () => {
  const frame = () => new Promise((resolve) => { requestAnimationFrame(resolve); });
  for (let isStill = false; !isStill;) {
    const before = document.querySelector('.leaflet-map-pane')!.innerHTML;
    await frame();
    await frame();
    const isMoving = document.querySelector('.leaflet-zoom-anim, .leaflet-pan-anim') !== null;
    const { netmlChart: chart } = document.querySelector('.chart') as unknown as { netmlChart?: ChartHandle };
    isStill = !isMoving && chart?.isPainting !== true && document.querySelector('.leaflet-map-pane')!.innerHTML === before;
  }
});

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

// How much of the map is blobs: pixels of the network all of whose neighbours, some pixels around, are painted in a
// colour, too, so that nothing can be read there. The insides of circles, which have numbers, are none.
export const shareOfBlobs = (page: Page) => page.evaluate(() => {
  const canvas = document.querySelector('.leaflet-network-pane canvas') as HTMLCanvasElement;
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext('2d')!; // that of a worker cannot be read
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  const surface = getComputedStyle(document.querySelector('.netml-map')!).getPropertyValue('--map-surface').trim();
  const inside = [1, 3, 5].map((at) => parseInt(surface.slice(at, at + 2), 16));
  const reach = Math.round((5 * width) / canvas.clientWidth); // five pixels of the page
  const sums = new Uint32Array((width + 1) * (height + 1)); // of painted pixels, above and to the left
  for (let y = 0; y < height; y++) {
    for (let x = 0, row = 0; x < width; x++) {
      const at = 4 * (y * width + x);
      const isInside = inside.every((part, i) => Math.abs(data[at + i]! - part) < 40);
      row += data[at + 3]! > 128 && !isInside ? 1 : 0;
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1]! + row;
    }
  }
  const all = (2 * reach + 1) ** 2;
  let blobs = 0;
  for (let y = reach; y < height - reach; y++) {
    for (let x = reach; x < width - reach; x++) {
      const [up, down, left, right] = [(y - reach) * (width + 1), (y + reach + 1) * (width + 1), x - reach, x + reach + 1];
      if (sums[down + right]! - sums[up + right]! - sums[down + left]! + sums[up + left]! === all) blobs += 1;
    }
  }
  return blobs / (width * height);
});
