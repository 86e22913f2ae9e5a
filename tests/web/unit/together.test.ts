// Two maps that move together, without a browser.
import { describe, expect, it } from 'vitest';
import type L from 'leaflet';
import { moveTogether } from '../../../admin/web/src/map/together.ts';

// Tells who listens of each move, as a map does: also of one that somebody else made it do.
class StillMap {
  view: [string, number] = ['here', 3];
  moves = 0;
  private readonly listeners = new Set<() => void>();

  getCenter = () => this.view[0];
  getZoom = () => this.view[1];
  on = (_: string, listener: () => void) => this.listeners.add(listener);
  off = (_: string, listener: () => void) => this.listeners.delete(listener);
  setView(center: string, zoom: number): void {
    this.view = [center, zoom];
    this.moves += 1;
    this.listeners.forEach((listener) => listener());
  }
}

function twoMaps() {
  const [one, other] = [new StillMap(), new StillMap()];
  return { one, other, stop: moveTogether(one as unknown as L.Map, other as unknown as L.Map) };
}

describe('two maps', () => {
  it('show the same, whichever is moved, and each moves once', () => {
    const { one, other } = twoMaps();
    one.setView('there', 5);
    expect([other.view, one.moves, other.moves]).toEqual([['there', 5], 1, 1]);
    other.setView('elsewhere', 7);
    expect([one.view, one.moves, other.moves]).toEqual([['elsewhere', 7], 2, 2]);
  });

  it('go separate ways in the end', () => {
    const { one, other, stop } = twoMaps();
    stop();
    one.setView('there', 5);
    expect(other.view).toEqual(['here', 3]);
  });
});
