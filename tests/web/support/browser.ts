// A real Chromium for the tests. It fails a test for any script error, any broken content policy
// and any request that leaves the server under test.
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = existsSync(chromiumPath);
export const root = resolve(import.meta.dirname, '../../..');
export const dist = process.env.NETML_WEB_DIST ?? join(root, 'admin/web/dist');
const shots = process.env.NETML_SCREENSHOTS ?? join(root, 'build/screenshots');

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--force-color-profile=srgb'],
  });
}

export interface Visitor {
  page: Page;
  context: BrowserContext;
  faults: string[];
  shot: (name: string) => Promise<void>;
  close: () => Promise<void>;
}

export interface Wishes {
  locale?: string;
  dark?: boolean;
  width?: number;
  height?: number;
}

export async function visit(browser: Browser, url: string, wishes: Wishes = {}): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url, locale: wishes.locale ?? 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce',
    colorScheme: wishes.dark ? 'dark' : 'light', viewport: { width: wishes.width ?? 1360, height: wishes.height ?? 860 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    const expected = /Failed to load resource/.test(message.text()); // an answer of 4xx, which tests provoke
    if (message.type() === 'error' && !expected) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    const local = host === new URL(url).host || protocol === 'data:' || protocol === 'blob:';
    if (!local) faults.push(`request to another host: ${request.url()}`);
  });
  return {
    page, context, faults,
    shot: async (name) => {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${name}.png`) });
    },
    close: () => context.close(),
  };
}

export const password = 'correct horse battery';

export async function signIn(page: Page, name = 'admin'): Promise<void> {
  await page.goto('/admin/');
  await page.getByRole('textbox', { name: 'User name' }).fill(name);
  await page.locator('#password').fill(password);
  await page.locator('form button[type=submit]').click();
  await page.locator('#sections').waitFor({ state: 'attached' });
}
