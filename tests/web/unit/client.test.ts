// Asking for the map: what happens when the server is busy or gone.
import { afterEach, expect, it, vi } from 'vitest';
import { MapClient } from '../../../admin/web/src/map/client.ts';

const busy = () => new Response('{"error": {"code": "unavailable", "message": "busy"}}', { status: 503, headers: { 'Retry-After': '0' } });
const points = () => new Response('{"items": []}');

function answers(...list: (() => Response)[]) {
  const asked = vi.fn(() => Promise.resolve((list.length > 1 ? list.shift()! : list[0]!)()));
  vi.stubGlobal('fetch', asked);
  return asked;
}

afterEach(() => { vi.unstubAllGlobals(); });

it('asks again when the server is busy, after the time that it names', async () => {
  const asked = answers(busy, busy, points);
  expect(await new MapClient('/').points()).toEqual([]);
  expect(asked).toHaveBeenCalledTimes(3);
});

it('gives up in the end', async () => {
  const asked = answers(busy);
  await expect(new MapClient('/').points()).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  expect(asked).toHaveBeenCalledTimes(4);
});

it('tells a server that cannot be reached from one that refuses', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no route')));
  await expect(new MapClient('/').points()).rejects.toMatchObject({ status: 0, code: 'unreachable' });
});
