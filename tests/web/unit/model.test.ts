// What a map asks the server for: the past that an address names, and what would fail where.
import { afterEach, expect, it, vi } from 'vitest';
import { MapModel } from '../../../admin/web/src/map/model.ts';
import { columns } from './example.ts';

const counts = { added: { nodes: 1, links: 0 }, removed: { nodes: 0, links: 0 }, changed: 0 };
const points = [2, 4, 7].map((lsn) => ({ lsn, time: `200${lsn}-01-01T00:00:00Z`, text: 'import', ...counts }));
const outcome = {
  simulated: true, components_before: 1, components_after: 1, cut_off: { nodes: [], institutions: [] },
  single_path: { nodes: [], links: [] }, newly_single_path: { nodes: [], links: [] },
};

// Answers by path and query; of what is not listed the server says that it is not there.
function serve(answers: Record<string, object>) {
  const asked = vi.fn((url: string, _options?: RequestInit) => {
    const found = answers[url.replace('/api/v1/map', '')];
    return Promise.resolve(found ? Response.json(found)
      : Response.json({ error: { code: 'not-found', message: 'no' } }, { status: 404 }));
  });
  vi.stubGlobal('fetch', asked);
  return asked;
}

afterEach(() => { vi.unstubAllGlobals(); });

it('shows the point in time that an address names, at its place among those that changed something', async () => {
  serve({ '?at=import%3A3': columns(), '/points-in-time': { items: points }, '/points-in-time?limit=2&to=import%3A3': { items: [points[0], points[1]] } });
  const model = new MapModel({ endpoint: '/' });
  await model.showAt('import:3');
  expect([model.at, model.point.value, model.panel.value, model.problem.value]).toEqual(['import:3', 1, 'time', null]);
});

it('stands before them all where nothing was there yet', async () => {
  serve({ '?at=1990-01-01': columns(), '/points-in-time': { items: points }, '/points-in-time?limit=2&to=1990-01-01': { items: [] } });
  const model = new MapModel({ endpoint: '/' });
  await model.showAt('1990-01-01');
  expect([model.at, model.point.value]).toEqual(['1990-01-01', -1]);
});

it('shows no map for what is no point in time, until it is asked for the present one', async () => {
  serve({ '': columns(), '/points-in-time': { items: points } });
  const model = new MapModel({ endpoint: '/' });
  await model.showAt('garbage');
  expect([model.columns.value, model.problem.value?.status, model.panel.value]).toEqual([null, 404, null]);
  await model.showNow();
  expect([model.columns.value !== null, model.at, model.problem.value]).toEqual([true, null, null]);
});

it('shows the map that was asked for last, whichever answer comes first', async () => {
  serve({ '?at=import%3A3': { ...columns(), lsn: 4 }, '/points-in-time': { items: points }, '/points-in-time?limit=2&to=import%3A3': { items: [points[1]] } });
  const model = new MapModel({ endpoint: '/' });
  const { fetch: ofOthers } = globalThis;
  let answer = (_late: Response): void => undefined;
  vi.stubGlobal('fetch', (url: string) => (url === '/api/v1/map' ? new Promise((resolve) => { answer = resolve; }) : ofOthers(url)));
  const now = model.showNow();
  await model.showAt('import:3');
  answer(Response.json(columns()));
  await now;
  expect([model.columns.value?.lsn, model.at, model.busy.value]).toEqual([4, 'import:3', false]);
});

it('tells no problem of a map that is no longer wanted', async () => {
  serve({ '': columns(), '/points-in-time': { items: points } });
  const model = new MapModel({ endpoint: '/' });
  await Promise.all([model.showAt('garbage'), model.showNow()]);
  expect([model.problem.value, model.columns.value !== null]).toEqual([null, true]);
});

it('fetches names once a picture is painted, and those of a map that is no longer shown, too', async () => {
  serve({ '': columns() });
  const model = new MapModel({ endpoint: '/' });
  await model.load();
  const first = model.columns.value!;
  const texts = vi.spyOn(first, 'texts');
  model.columns.value = { ...first };
  expect(texts).toHaveBeenCalledOnce();
  expect([model.hasTexts, model.nameOf('nodes', 10)]).toEqual([false, '#10']);
  model.isPainted.value = true;
  await expect.poll(() => model.nameOf('nodes', 10)).toBe('Ada');
});

it('says that names have not come, and has them when it is loaded again', async () => {
  serve({ '': columns() });
  const model = new MapModel({ endpoint: '/' });
  await model.load();
  model.columns.value = { ...model.columns.value!, texts: () => Promise.reject(new Error('the map ends too early')) };
  model.isPainted.value = true;
  await expect.poll(() => model.problem.value?.code).toBe('no-names');
  expect(model.hasTexts).toBe(false);
  await model.load();
  await expect.poll(() => model.nameOf('nodes', 10)).toBe('Ada');
  expect(model.problem.value).toBeNull();
});

it('asks what would fail in the topology of the filter, and again when the filter changes', async () => {
  const asked = serve({ '': columns(), '/what-if': outcome });
  const model = new MapModel({ endpoint: '/' });
  await model.load();
  const topologies = () => asked.mock.calls.filter(([url]) => url.endsWith('what-if'))
    .map(([, options]) => (JSON.parse(String(options?.body)) as { topology: number | null }).topology);
  model.setFilter({ topology: 2 });
  await model.toggleFailed('nodes', 10);
  expect(topologies()).toEqual([2]);
  model.clearFilter();
  expect(topologies()).toEqual([2, null]);
});

it('asks about the same topology after time travel, wherever it stands in the map then', async () => {
  const before = columns();
  const now = columns();
  for (const list of Object.values(now.topologies)) list.splice(0, 1);
  now.topologies.parent = [-1, -1];
  const asked = serve({ '': now, '?at=import:3': before, '/points-in-time': { items: points }, '/what-if': outcome });
  const model = new MapModel({ endpoint: '/' });
  await model.showAt('import:3');
  model.setFilter({ topology: 2 });
  await model.showNow();
  await model.toggleFailed('nodes', 12);
  const [, options] = asked.mock.calls.find(([url]) => url.endsWith('what-if'))!;
  expect((JSON.parse(String(options?.body)) as { topology: number | null }).topology).toBe(2);
});
