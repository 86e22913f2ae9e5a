// One browser and one server for a file of tests; each test gets a visitor of its own, and fails
// when anything went wrong on the page that no step looked at.
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { Browser } from 'playwright-core';
import { hasChromium, openBrowser, visit, type Visitor, type Wishes } from './browser.ts';
import { openServer, type Server } from './server.ts';

export interface Suite {
  server: Server;
  browser: Browser;
  visit: (wishes?: Wishes) => Promise<Visitor>;
}

export function browserSuite(name: string, tests: (suite: Suite) => void, size = 0): void {
  describe.skipIf(!hasChromium)(name, () => {
    const suite = {} as Suite;
    const visitors: Visitor[] = [];
    beforeAll(async () => {
      [suite.server, suite.browser] = await Promise.all([openServer(size), openBrowser()]);
      suite.visit = async (wishes) => {
        const visitor = await visit(suite.browser, suite.server.url, wishes);
        visitors.push(visitor);
        return visitor;
      };
    });
    afterEach(async () => {
      const faults = visitors.flatMap((visitor) => visitor.faults);
      await Promise.all(visitors.splice(0).map((visitor) => visitor.close()));
      expect(faults).toEqual([]);
    });
    afterAll(async () => {
      await suite.browser?.close();
      await suite.server?.close();
    });
    tests(suite);
  });
}
