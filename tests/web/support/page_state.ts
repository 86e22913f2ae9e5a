// What a page shows, waited for. It loads, draws and moves the focus a moment after what caused
// that, so no state of it is read once: either a locator waits, or `expect.poll` asks again.
import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';

// Waits until the page shows all that it loads. Before that nothing can be said to be missing.
export const complete = (page: Page) => page.waitForFunction(() =>
  document.querySelector('main h1, main [role=alert]') && !document.querySelector('main [aria-busy=true]'));

export const focusIsOn = (locator: Locator) => expect.poll(() => locator.evaluate((wanted) =>
  (document.activeElement === wanted ? 'there' : document.activeElement?.outerHTML.slice(0, 200))), { message: `focus on ${locator}` }).toBe('there');

// Goes on with Tab until the focus is where the selector says, as a person would.
export async function tabTo(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor();
  for (let i = 0; i < 120; i++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${selector}`);
}
