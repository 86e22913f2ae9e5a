// A picture with a palette of 256 colours (median cut), a third the size of what browsers make.
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

interface Indexed {
  width: number;
  height: number;
  palette: number[]; // red, green, blue of each colour
  pixels: string; // an index of a byte for each, in base64
}

// In the browser, which can read the picture that it made.
async function reduced(png: string): Promise<Indexed> {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const cellOf = (at: number) => ((data[at]! >> 2) << 12) | ((data[at + 1]! >> 2) << 6) | (data[at + 2]! >> 2);
  const sums = new Map<number, number[]>(); // of each cell: red, green, blue, count
  for (let at = 0; at < data.length; at += 4) {
    const sum = sums.get(cellOf(at)) ?? [0, 0, 0, 0];
    sums.set(cellOf(at), [sum[0]! + data[at]!, sum[1]! + data[at + 1]!, sum[2]! + data[at + 2]!, sum[3]! + 1]);
  }
  type Box = { cell: number; mean: number[]; count: number }[];
  const spread = (box: Box) => [0, 1, 2].map((axis) => {
    const values = box.map(({ mean }) => mean[axis]!);
    return Math.max(...values) - Math.min(...values);
  });
  const weight = (box: Box) => Math.max(...spread(box)) * Math.log2(1 + box.reduce((all, { count }) => all + count, 0));
  const boxes: Box[] = [[...sums].map(([cell, [r, g, b, count]]) => ({ cell, mean: [r! / count!, g! / count!, b! / count!], count: count! }))];
  while (boxes.length < 256) {
    const widest = boxes.reduce((best, box) => (weight(box) > weight(best) ? box : best));
    if (widest.length < 2) break;
    const axes = spread(widest);
    const axis = axes.indexOf(Math.max(...axes));
    widest.sort((a, b) => a.mean[axis]! - b.mean[axis]!);
    boxes.push(widest.splice(Math.ceil(widest.length / 2)));
  }
  const indexOf = new Map<number, number>();
  const palette = boxes.flatMap((box, index) => {
    for (const { cell } of box) indexOf.set(cell, index);
    const all = box.reduce((sum, { count }) => sum + count, 0);
    return [0, 1, 2].map((axis) => Math.round(box.reduce((sum, { mean, count }) => sum + mean[axis]! * count, 0) / all));
  });
  let pixels = '';
  for (let at = 0; at < data.length; at += 4) pixels += String.fromCharCode(indexOf.get(cellOf(at))!);
  return { width, height, palette, pixels: btoa(pixels) };
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export async function smallPicture(page: Page): Promise<Buffer> {
  const png = (await page.screenshot()).toString('base64');
  const blank = await page.context().browser()!.newPage(); // without the content policy of the site
  const { width, height, palette, pixels } = await blank.evaluate(reduced, png);
  await blank.close();
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8); // eight bits, a palette
  const rows = Buffer.from(pixels, 'base64');
  const lines = Array.from({ length: height }, (_, y) => Buffer.concat([Buffer.alloc(1), rows.subarray(y * width, (y + 1) * width)]));
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
