// One browser and one node for a file of tests; each test gets a visitor of its own, and fails
// when anything went wrong on the page that no step looked at.
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import type { Browser } from 'playwright-core';
import { openBrowser, visit, type Visitor, type Wishes } from './browser.ts';
import { copyOf, password, serve, type Data, type Node, type Role } from './node.ts';

export interface Suite {
  node: Node;
  browser: Browser;
  visit: (wishes?: Wishes & { as?: Role }) => Promise<Visitor>; // `as`: signed in already
}

export interface Needs {
  data?: () => Data; // else a copy of the example
  options?: string[]; // of netml serve
}

export function browserSuite(name: string, tests: (suite: Suite) => void, { data, options = [] }: Needs = {}): void {
  describe(name, () => {
    const suite = {} as Suite;
    const visitors: Visitor[] = [];
    const sessions = new Map<Role, string>();
    beforeAll(async () => {
      const served = data ? data() : copyOf(inject('example'));
      [suite.node, suite.browser] = await Promise.all([serve(served, ...options), openBrowser()]);
      suite.visit = async ({ as: role, ...wishes } = {}) => {
        const visitor = await visit(suite.browser, suite.node.url, wishes);
        visitors.push(visitor);
        if (role) {
          const secret = sessions.get(role) ?? await newSession(suite.node.url, role);
          sessions.set(role, secret);
          await visitor.context.addCookies([{ name: 'netml', value: secret, url: suite.node.url }]);
        }
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
      await suite.node?.close();
    });
    tests(suite);
  });
}

async function newSession(url: string, name: Role): Promise<string> {
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST', headers: { 'Content-Type': 'application/json', Origin: url }, body: JSON.stringify({ name, password }),
  });
  const cookie = /^netml=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '');
  if (!cookie) throw new Error(`signing in as ${name}: ${answer.status} ${await answer.text()}`);
  return cookie[1]!;
}
