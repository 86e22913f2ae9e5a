// What axe finds about the page that is shown.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

// Findings of any level, of all rules or of those named.
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page: page as never }).setLegacyMode(); // no page is made of frames
  const { violations } = await (rules ? axe.withRules(rules)
    : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${new URL(page.url()).pathname} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 200)}`));
}
