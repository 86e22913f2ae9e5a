// The history of the browser, as the router counts it.
import { expect, it, vi } from 'vitest';

// Entries as a browser keeps them; `go` is reported at once.
class Entries {
  readonly entries: { state: unknown; url: URL }[];
  at = 0;
  private readonly report: (event: { state: unknown }) => void;

  constructor(address: string, report: (event: { state: unknown }) => void) {
    this.entries = [{ state: null, url: new URL(address, 'https://node.example') }];
    this.report = report;
  }

  get url(): URL {
    return this.entries[this.at]!.url;
  }

  get state(): unknown {
    return this.entries[this.at]!.state;
  }

  pushState(state: unknown, _title: string, address: string): void {
    this.entries.splice(this.at + 1, Infinity, { state, url: new URL(address, this.url) });
    this.at += 1;
  }

  replaceState(state: unknown, _title: string, address = ''): void {
    this.entries[this.at] = { state, url: new URL(address || this.url.href, this.url) };
  }

  go(steps: number): void {
    this.at += steps;
    this.report({ state: this.state });
  }
}

async function site(address: string) {
  vi.resetModules();
  let onPop: (event: { state: unknown }) => void = () => undefined;
  const history = new Entries(address, (event) => onPop(event));
  const location = { get pathname() { return history.url.pathname; }, get search() { return history.url.search; }, get href() { return history.url.href; } };
  vi.stubGlobal('history', history);
  vi.stubGlobal('location', location);
  vi.stubGlobal('document', { addEventListener: () => undefined });
  vi.stubGlobal('addEventListener', (_name: string, listener: typeof onPop) => { onPop = listener; });
  const router = await import('../../../admin/web/src/app/router.ts');
  router.startRouter();
  return { history, ...router };
}

it('numbers each entry, the first one, too', async () => {
  const { history, navigate } = await site('/admin/');
  navigate('/admin/nodes/');
  navigate('/admin/nodes/?q=roma', 'replace');
  navigate('/admin/links/');
  expect(history.entries.map(({ state }) => state)).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }]);
});

it('goes with what comes late only from the page where that was begun', async () => {
  const { navigate, navigateFrom, place } = await site('/admin/');
  navigate('/admin/nodes/');
  navigateFrom('/admin/', '/admin/links/');
  expect(place.value.path).toBe('/admin/nodes/');
  navigateFrom('/admin/nodes/', '/admin/links/');
  expect(place.value.path).toBe('/admin/links/');
});

it('goes on counting where the page was loaded anew', async () => {
  const { history, navigate } = await site('/admin/');
  navigate('/admin/nodes/');
  vi.resetModules();
  const again = await import('../../../admin/web/src/app/router.ts');
  again.navigate('/admin/links/');
  expect(history.state).toEqual({ index: 2 });
});

it('stays where something would be lost, in whichever direction the reader went, and leaves once asked to', async () => {
  for (const steps of [-2, -1, 1]) {
    const { history, navigate, place, keeper } = await site('/admin/');
    navigate('/admin/nodes/');
    navigate('/admin/nodes/7/');
    navigate('/admin/links/');
    history.go(-1);
    let leave: (() => void) | null = null;
    keeper.keeps = (go) => { leave = go; return true; };
    history.go(steps);
    expect([history.at, place.value.path], `${steps}`).toEqual([2, '/admin/nodes/7/']);
    keeper.keeps = () => false;
    leave!();
    expect([history.at, place.value.path], `${steps}`).toEqual([2 + steps, history.url.pathname]);
  }
});

it('counts an entry that a link to a part of the page made', async () => {
  const { history, navigate, place, keeper } = await site('/admin/');
  navigate('/admin/nodes/7/');
  history.pushState(null, '', '/admin/nodes/7/#main');
  history.go(0); // reported, as browsers do
  expect(history.state).toEqual({ index: 2 });
  keeper.keeps = () => true;
  history.go(-2);
  expect([history.at, place.value.path]).toEqual([2, '/admin/nodes/7/']);
});
