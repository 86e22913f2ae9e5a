// What the start page knows of the visit before.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepVisit, visitBefore } from '../../../admin/web/src/app/last_visit.ts';

const first = { lsn: 7, time: '2026-11-27T08:00:00.000Z' };
const second = { lsn: 9, time: '2026-11-28T08:00:00.000Z' };

const storage = () => {
  const kept = new Map<string, string>();
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => { kept.set(key, value); } };
};
const openTab = () => vi.stubGlobal('sessionStorage', storage());

beforeEach(() => {
  vi.stubGlobal('localStorage', storage());
  openTab();
});
afterEach(() => { vi.unstubAllGlobals(); });

it('there is none before the first visit, as long as its tab is open', () => {
  expect(visitBefore('anna')).toBeNull();
  keepVisit('anna', first);
  expect(visitBefore('anna')).toBeNull();
});

it('another tab compares with what was seen before it was opened', () => {
  visitBefore('anna');
  keepVisit('anna', first);
  openTab();
  expect(visitBefore('anna')).toEqual(first);
  keepVisit('anna', second);
  expect(visitBefore('anna')).toEqual(first);
  openTab();
  expect(visitBefore('anna')).toEqual(second);
});

it('accounts have visits of their own', () => {
  visitBefore('anna');
  keepVisit('anna', first);
  openTab();
  expect(visitBefore('ben')).toBeNull();
});

it('what is kept and is no visit counts for nothing', () => {
  for (const text of ['{', '3', '{"lsn":"7"}', 'null']) {
    openTab();
    localStorage.setItem('netml-visit:anna', text);
    expect(visitBefore('anna')).toBeNull();
  }
});

it('a browser that keeps nothing breaks nothing', () => {
  const refuse = () => { throw new DOMException('full', 'QuotaExceededError'); };
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: refuse });
  expect(visitBefore('anna')).toBeNull();
  keepVisit('anna', first);
});
