// What people do on many pages.
import type { Page } from 'playwright-core';
import { complete } from '../support/page_state.ts';

const listAddress = /\/admin\/[\w-]+\/$/;

// Finds a record in a search box by its name and takes it.
export async function pick(page: Page, label: string, words: string): Promise<void> {
  const box = page.locator('.search-box').filter({ has: page.locator(`ul[aria-label="${label}"]`) });
  await box.getByRole('combobox').fill(words);
  await box.getByRole('option', { name: words, selected: true }).waitFor(); // the one that Enter takes
  await page.keyboard.press('Enter');
  await box.getByRole('button', { name: `Remove ${words}`, exact: true }).waitFor();
}

// Saves the form, and comes back to the list. A notice alone might tell of an earlier time.
export async function save(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Done' }).click();
  await page.waitForURL(listAddress);
  await page.getByText(savedText(name)).first().waitFor();
}

// The notice about it, whether or not it also tells which rules ran.
export const savedText = (name: string) => new RegExp(`^Saved: ${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(\\. |$)`);

// Deletes the record of the form, and comes back to the list.
export async function deleteHere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete?' }).getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(listAddress);
  await page.getByText(/^Deleted: /).last().waitFor();
  await complete(page); // so that one can see what is no longer there
}

// A file as a person drops it: it comes with a drop event, not through the input.
export async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(([file, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content!], file!, { type: 'application/xml' }));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent('.drop', 'dragover', { dataTransfer: data });
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: data });
}
