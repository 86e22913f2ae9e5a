// A real Chromium for the tests. It fails a test for any script error, any broken content policy
// and any request that leaves the server under test.
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { password } from './node.ts';

const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const shots = process.env.NETML_SCREENSHOTS ?? resolve(import.meta.dirname, '../../../build/screenshots');

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
  page.setDefaultTimeout(60_000); // a busy machine may take that long
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
      const file = join(shots, `${name}.png`);
      mkdirSync(dirname(file), { recursive: true });
      await page.screenshot({ path: file });
    },
    close: () => context.close(),
  };
}

export async function signIn(page: Page, name = 'admin'): Promise<void> {
  await page.goto('/admin/');
  await page.getByRole('textbox', { name: 'User name' }).fill(name);
  await page.locator('#password').fill(password);
  await page.locator('form button[type=submit]').click();
  await page.locator('#sections').waitFor({ state: 'attached' });
}

interface Reply {
  status: number;
  body: { number: number; items: { number: number }[]; error?: { code: string } } | null;
}

// A request to /api/v1/ as a script of the page makes it.
export const call = (page: Page, method: string, path: string, body?: object): Promise<Reply> =>
  page.evaluate(async ([how, where, what]) => {
    const session = await (await fetch('/api/v1/session')).json() as { csrf: string | null };
    const headers = { 'Content-Type': 'application/json', 'X-Netml-Csrf': session.csrf ?? '' };
    const answer = await fetch(`/api/v1/${where}`, { method: how!, headers, ...(what === undefined ? {} : { body: what }) });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) as Reply['body'] : null };
  }, [method, path, body && JSON.stringify(body)]);

// The number of the one item of a list that the words find.
export async function numberOf(page: Page, list: string, words = ''): Promise<number> {
  const { body } = await call(page, 'GET', `${list}?q=${encodeURIComponent(words)}`);
  const found = body?.items[0];
  if (!found) throw new Error(`no ${words} among ${list}`);
  return found.number;
}
