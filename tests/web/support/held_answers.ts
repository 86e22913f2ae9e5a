// Requests that wait on their way to the server, so that their answers come late: when a test says so.
import type { Page, Request } from 'playwright-core';

interface Held {
  isAsked: () => boolean;
  letGo: () => Promise<void>; // the page has dealt with them when it returns
}

// Those of that method whose path and query fit `address`.
export async function holdAnswers(page: Page, address: RegExp, method = 'GET'): Promise<Held> {
  const held: Request[] = [];
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => { open = resolve; });
  await page.route(({ pathname, search }) => address.test(pathname + search), async (route) => {
    if (route.request().method() === method) {
      held.push(route.request());
      await opened;
    }
    await route.continue();
  });
  return {
    isAsked: () => held.length > 0,
    letGo: async () => {
      open();
      await Promise.all(held.map(async (request) => (await request.response())?.finished()));
      await page.evaluate(() => fetch('/health/live').then((later) => later.text())); // comes after them
    },
  };
}
