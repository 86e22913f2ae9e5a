// The map in the page of another site, for those that an administrator has listed.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../support/browser.ts';
import { browserSuite } from '../support/suite.ts';

browserSuite('a foreign page', (suite) => {
  let foreign: Server;
  let origin = '';
  beforeAll(async () => {
    foreign = createServer((request, response) => {
      const code = new URL(request.url!, 'http://x').searchParams.get('lang') ?? 'en';
      const base = `${suite.node.url}/staticfiles/gren-map-visualization`;
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><title>Foreign</title><link rel="stylesheet" href="${base}/styles.css">
        <div id="map" style="height: 500px; position: relative"></div><script src="${base}/gren-map.${code}.js"></script>
        <script>G.map({ selector: '#map', endpointURL: '${suite.node.url}/', nodeColorLabels: { NREN: '#ff0000' } });</script>`);
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  });
  afterAll(() => foreign.close());

  const open = async (address: string) => {
    const page = await suite.browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(address);
    return { page, errors };
  };

  it('says so when it is not listed', async () => {
    const { page } = await open(origin);
    await page.getByRole('alert').getByText(/Allowed Origins|cannot be reached/).waitFor();
    await page.close();
  });

  it('shows the map when it is, in four languages', async () => {
    const { page: site } = await suite.visit({ as: 'admin' });
    await site.goto('/admin/origins/');
    expect((await call(site, 'POST', 'origins', { name: 'Foreign', origin, active: true })).status).toBe(201);
    for (const [code, label] of [['en', 'Show everything'], ['fr', 'Tout afficher'], ['es', 'Mostrar todo'], ['pt', 'Mostrar tudo']] as const) {
      const { page, errors } = await open(`${origin}/?lang=${code}`);
      await page.locator('#map[data-netml-ready]').waitFor();
      await page.getByRole('button', { name: label }).waitFor();
      expect(errors).toEqual([]);
      await page.close();
    }
  });
});
