// What the program sends to a browser: sizes, no address of another host, nothing inside the page.
import { expect, it } from 'vitest';
import { browserSuite } from '../support/suite.ts';

const KiB = 1024;

browserSuite('the first load', (suite) => {
  // `last`: a part of the name of the file that is asked for last; a slow browser rests before it.
  const bytesOf = async (path: string, last?: string) => {
    const { page } = await suite.visit();
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (!request.url().includes('/api/')) sizes.push(request.sizes().then((found) => found.responseBodySize));
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    if (last) await page.waitForFunction((name) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(name)), last);
    const bytes = (await Promise.all(sizes)).reduce((a, b) => a + b, 0);
    process.stdout.write(`first load of ${path}: ${Math.round(bytes / KiB)} KiB\n`);
    return bytes;
  };

  it('of the administration stays below 400 KiB, compressed', async () => {
    const bytes = await bytesOf('/admin/');
    expect(bytes).toBeGreaterThan(10 * KiB);
    expect(bytes).toBeLessThan(400 * KiB);
  });

  it('of the map stays below 1.2 MiB, compressed, with the finer coast lines', async () => {
    const bytes = await bytesOf('/?view=44,11,6', 'world_50m');
    expect(bytes).toBeGreaterThan(300 * KiB);
    expect(bytes).toBeLessThan(1.2 * KiB * KiB);
  });

  // Every file that the page or one of its files names, and the files for foreign pages.
  const allFiles = async () => {
    const files = new Map<string, string>();
    const wanted = ['/', ...['en', 'fr', 'es', 'pt'].map((code) => `/staticfiles/gren-map-visualization/gren-map.${code}.js`),
      '/staticfiles/gren-map-visualization/styles.css'];
    for (let path = wanted.pop(); path; path = wanted.pop()) {
      if (files.has(path)) continue;
      const answer = await fetch(suite.node.url + path);
      expect(answer.status, path).toBe(200);
      const text = await answer.text();
      files.set(path, text);
      for (const [, name] of text.matchAll(/["'`/]([\w.-]+-[\w-]{8}\.(?:js|css|json|svg|png))\b/g)) wanted.push(`/staticfiles/assets/${name}`);
    }
    return files;
  };

  it('names no other host', async () => {
    const names = /^(http:\/\/www\.w3\.org|https:\/\/leafletjs\.com|https:\/\/www\.example\.org)$/; // XML spaces, a credit, an example
    const files = await allFiles();
    expect(files.size).toBeGreaterThan(10);
    const found = [...files.values()].flatMap((text) => text.match(/https?:\/\/[\w.-]+/g) ?? []);
    expect([...new Set(found)].filter((address) => !names.test(address))).toEqual([]);
  });

  it('has no script or style inside its page', async () => {
    const page = await (await fetch(`${suite.node.url}/`)).text();
    expect(page).toContain('<script');
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  });
});
