// A tour with the keyboard alone: no step uses the mouse. That of the map is in map.spec.ts.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { password } from '../support/node.ts';
import { focusIsOn, tabTo } from '../support/page_state.ts';
import { holdAnswers } from '../support/held_answers.ts';
import { browserSuite } from '../support/suite.ts';

// Each page of the administration begins with the focus on its content.
const arrived = (page: Page) => focusIsOn(page.locator('#main'));

// The form of a new institution, whose search box has the topologies for no words; those for `words`
// are held.
async function heldChoices(page: Page, words: string) {
  const held = await holdAnswers(page, new RegExp(`/choices/topologies\\?q=${words}$`));
  await page.goto('/admin/institutions/add/');
  await arrived(page);
  const box = page.getByRole('combobox', { name: 'Topologies' });
  await box.focus();
  await page.getByRole('option', { name: 'Example Research Network', selected: true }).waitFor(); // fits no words
  return { box, held, chips: () => page.locator('.chip').allTextContents() };
}

browserSuite('the keyboard alone', (suite) => {
  it('signs in, goes to a section, searches, sorts, changes and saves', async () => {
    const { page } = await suite.visit();
    const { keyboard } = page;
    await page.goto('/admin/');
    await tabTo(page, '#name');
    await keyboard.type('editor');
    await keyboard.press('Tab');
    await keyboard.type(password);
    await keyboard.press('Enter');
    await page.locator('#sections').waitFor();
    await arrived(page);
    await tabTo(page, '#sections a[href="/admin/nodes/"]');
    await keyboard.press('Enter');
    await page.locator('tbody tr').first().waitFor();
    await arrived(page);
    await tabTo(page, '.search-field input');
    await keyboard.type('perugia');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await tabTo(page, 'th button.sort');
    await keyboard.press('Enter');
    await page.waitForURL(/sort=-id/);
    await tabTo(page, 'tbody td a');
    await keyboard.press('Enter');
    await arrived(page);
    await tabTo(page, '#field-short_name');
    await keyboard.press('Control+A');
    await keyboard.type('PG');
    await tabTo(page, 'form.record button[type=submit]');
    await keyboard.press('Enter');
    await page.getByText('Saved: Perugia').waitFor();
  });

  it('adds a record with search boxes, and deletes it by a dialog', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    const { keyboard } = page;
    await page.goto('/admin/institutions/');
    await arrived(page);
    await tabTo(page, 'a[href="/admin/institutions/add/"]');
    await keyboard.press('Enter');
    await arrived(page);
    await tabTo(page, '#field-name');
    await keyboard.type('Keyboard Institute');
    await tabTo(page, '#field-topologies');
    await keyboard.type('southern');
    await page.getByRole('option', { name: 'Southern Region', selected: true }).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowUp');
    await keyboard.press('Enter');
    await page.locator('.chip', { hasText: 'Southern Region' }).waitFor();
    await tabTo(page, '#field-latitude');
    await keyboard.type('40');
    await tabTo(page, '#field-longitude');
    await keyboard.type('9');
    await keyboard.press('Enter'); // in a field it saves
    await page.getByText('Saved: Keyboard Institute').waitFor();
    await arrived(page);
    await tabTo(page, '.search-field input');
    await keyboard.type('keyboard');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await tabTo(page, 'tbody td.pick input');
    await keyboard.press('Space');
    await tabTo(page, '.bulk select');
    await keyboard.type('Delete');
    await tabTo(page, '.bulk button:enabled');
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Delete?' }).waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await focusIsOn(page.getByRole('button', { name: 'Go', exact: true })); // where it was
    await keyboard.press('Enter');
    await tabTo(page, 'dialog button.danger:enabled');
    await keyboard.press('Enter');
    await page.getByText('Deleted: Keyboard Institute').waitFor();
  });

  it('takes from a search box what fits the words, however late the answer comes', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    const { box, held, chips } = await heldChoices(page, 'southern');
    await box.fill('southern');
    await page.keyboard.press('Enter');
    await expect.poll(held.isAsked).toBe(true);
    expect(await chips()).toEqual([]);
    await held.letGo();
    await expect.poll(chips).toEqual(['Southern Region']);
    await focusIsOn(box);
  });

  it('takes it also for somebody who goes on meanwhile, and leaves the focus there', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    const { box, held, chips } = await heldChoices(page, 'southern');
    await box.fill('southern');
    await page.keyboard.press('Enter');
    await page.locator('#field-latitude').focus();
    await held.letGo();
    await expect.poll(chips).toEqual(['Southern Region']);
    await focusIsOn(page.locator('#field-latitude'));
  });

  it('takes nothing from it after Escape', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    const { box, held, chips } = await heldChoices(page, 'southern');
    await box.fill('southern');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await held.letGo();
    expect(await chips()).toEqual([]);
  });

  it('takes from it what was clicked meanwhile, and nothing else', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    const { box, held, chips } = await heldChoices(page, 'southern');
    await box.fill('southern');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Example Research Network', selected: true }).click();
    await held.letGo();
    expect(await chips()).toEqual(['Example Research Network']);
  });

  it('is where it was in the moment in which a dialog goes', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    await page.goto('/admin/rules/');
    await arrived(page);
    const opener = page.getByRole('button', { name: 'Apply Rule: Roma is one node', exact: true });
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    const gone = await page.evaluateHandle(() => ({
      focus: new Promise<string | undefined>((resolve) => {
        const look = () => { if (!document.querySelector('dialog')) resolve(document.activeElement?.textContent); };
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
      }),
    }));
    await page.keyboard.press('Escape');
    expect(await gone.evaluate(({ focus }) => focus)).toBe('Apply Rule');
  });

  it('goes anywhere by a few letters', async () => {
    const { page, shot } = await suite.visit({ as: 'editor' });
    const { keyboard } = page;
    await page.goto('/admin/');
    await arrived(page);
    const palette = page.getByRole('dialog', { name: 'Go to' });
    await keyboard.press('Control+K');
    await palette.waitFor();
    await keyboard.type('database snap'); // of the long title
    await keyboard.press('Enter');
    await page.waitForURL(/\/admin\/publications\/$/);
    await keyboard.press('Control+K');
    await palette.waitFor();
    await keyboard.type('perugia');
    await palette.getByRole('option', { name: 'Perugia' }).first().waitFor();
    await shot('palette');
    await keyboard.press('Enter');
    await page.waitForURL(/\/admin\/(nodes|links|institutions)\/\d+\/$/);
    await keyboard.press('Control+K');
    await palette.waitFor();
    await keyboard.type('nothing is called so');
    await palette.getByText('Nothing found').waitFor();
    await keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
  });

  it('goes nowhere once the letters are given up', async () => {
    const { page } = await suite.visit({ as: 'editor' });
    const held = await holdAnswers(page, /\/nodes\?q=perugia/);
    await page.goto('/admin/tasks/');
    await arrived(page);
    const palette = page.getByRole('dialog', { name: 'Go to' });
    await page.keyboard.press('Control+K');
    await palette.getByRole('combobox').fill('perugia');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await held.letGo();
    expect(new URL(page.url()).pathname).toBe('/admin/tasks/');
  });

  it('skips to the content, goes through the side list, and logs out', async () => {
    const { page } = await suite.visit({ as: 'viewer' });
    const { keyboard } = page;
    await page.goto('/admin/tasks/');
    await page.getByText('Next polling').waitFor();
    await arrived(page);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await keyboard.press('Tab');
    await focusIsOn(page.locator('.skip'));
    await keyboard.press('Enter');
    await focusIsOn(page.locator('#main'));
    for (const key of ['rules', 'settings', 'activity']) {
      await tabTo(page, `#sections a[href="/admin/${key}/"]`);
      await expect.poll(() => page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)).not.toBe('none'); // it is seen
      await keyboard.press('Enter');
      await page.waitForURL(new RegExp(`/admin/${key}/`));
      await arrived(page);
    }
    await tabTo(page, '#fim_logout_user');
    await keyboard.press('Enter');
    await page.locator('#fim_login').waitFor();
  });
});
