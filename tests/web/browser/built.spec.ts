// What the build makes: sizes, no address of another host, and the script for foreign pages.
import { createServer, type Server } from 'node:http';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser } from 'playwright-core';
import { chromiumPath, dist, hasChromium } from '../support/browser.ts';
import { browserSuite } from '../support/suite.ts';
import { start, type Running } from '../fake_server/server.ts';

browserSuite('the first load', (suite) => {
  const bytesOf = async (path: string) => {
    const { page } = await suite.visit();
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (!request.url().includes('/api/')) sizes.push(request.sizes().then((found) => found.responseBodySize));
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    return (await Promise.all(sizes)).reduce((a, b) => a + b, 0);
  };

  it('of the administration stays below 400 KiB, packed', async () => {
    const bytes = await bytesOf('/admin/');
    process.stdout.write(`administration: ${Math.round(bytes / 1024)} KiB\n`);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(400 * 1024);
  });

  it('of the map stays below 1.2 MiB, packed, with the finer coast lines', async () => {
    const bytes = await bytesOf('/?view=44,11,6');
    process.stdout.write(`map: ${Math.round(bytes / 1024)} KiB\n`);
    expect(bytes).toBeGreaterThan(300_000);
    expect(bytes).toBeLessThan(1.2 * 1024 * 1024);
  });
});

it('names no other host', () => {
  const names = /^(http:\/\/www\.w3\.org|https:\/\/leafletjs\.com|https:\/\/www\.example\.org)$/; // XML spaces, a credit, an example
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(dist, file)).isFile());
  expect(files.length).toBeGreaterThan(10);
  const found = files.flatMap((file) => readFileSync(join(dist, file), 'latin1').match(/https?:\/\/[\w.-]+/g) ?? []);
  expect([...new Set(found)].filter((address) => !names.test(address))).toEqual([]);
});

it('has no script or style inside its page', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
});

describe.skipIf(!hasChromium)('a foreign page', () => {
  let node: Running;
  let foreign: Server;
  let browser: Browser;
  let origin = '';
  beforeAll(async () => {
    node = await start(dist);
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });
    foreign = createServer((request, response) => {
      const code = new URL(request.url!, 'http://x').searchParams.get('lang') ?? 'en';
      const base = `${node.url}/staticfiles/gren-map-visualization`;
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><title>Foreign</title><link rel="stylesheet" href="${base}/styles.css">
        <div id="map" style="height: 500px; position: relative"></div><script src="${base}/gren-map.${code}.js"></script>
        <script>G.map({ selector: '#map', endpointURL: '${node.url}/', nodeColorLabels: { NREN: '#ff0000' } });</script>`);
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser?.close();
    foreign?.close();
    await node?.close();
  });

  it('is told when it is not listed', async () => {
    const page = await browser.newPage();
    await page.goto(origin);
    await page.getByRole('alert').getByText(/Allowed Origins|cannot be reached/).waitFor();
    await page.close();
  });

  for (const [code, label] of [['en', 'Show everything'], ['fr', 'Tout afficher'], ['es', 'Mostrar todo'], ['pt', 'Mostrar tudo']] as const) {
    it(`shows the map when it is: ${code}`, async () => {
      node.state.tables.origins!.push({ number: 900, name: code, origin, active: true });
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`${origin}/?lang=${code}`);
      await page.locator('#map[data-netml-ready]').waitFor();
      await page.getByRole('button', { name: label }).waitFor();
      expect(errors).toEqual([]);
      await page.close();
    });
  }
});
