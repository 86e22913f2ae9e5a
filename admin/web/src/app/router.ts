// Where the reader is: the path and query of the address as a signal, and how to go elsewhere.
import { computed, signal } from '@preact/signals';

const read = () => ({ path: location.pathname, search: location.search });
export const place = signal(read());
export const path = computed(() => place.value.path);

// Set by a page that something would be lost with (unsaved.tsx): whether it keeps the reader here
// for now. `go` leaves, later.
export const keeper: { keeps: (go: () => void) => boolean } = { keeps: () => false };

// Entries of the history are counted, so that one that was gone back to can be left again.
const indexOf = (state: unknown): number | undefined => (state as { index?: number } | null)?.index;
let index = indexOf(history.state) ?? 0;

export function navigate(address: string, how: 'push' | 'replace' = 'push'): void {
  const go = () => {
    if (how === 'push') index += 1;
    const state = { index };
    if (how === 'push') history.pushState(state, '', address);
    else history.replaceState(state, '', address);
    place.value = read();
  };
  const staysHere = new URL(address, location.href).pathname === location.pathname;
  if (staysHere || !keeper.keeps(go)) go();
}

// For what comes late: the reader may be on another page by then, and stays there.
export function navigateFrom(begun: string, address: string, how: 'push' | 'replace' = 'push'): void {
  if (place.value.path === begun) navigate(address, how);
}

// By then the browser has gone already. Every entry of ours has a number: one without is new, made by a
// link to a part of the page.
function onPop({ state }: PopStateEvent): void {
  const known = indexOf(state);
  const steps = (known ?? index + 1) - index;
  if (known === undefined) history.replaceState({ index: index + steps }, '');
  index += steps;
  const leaves = location.pathname !== place.value.path;
  if (leaves && steps !== 0 && keeper.keeps(() => history.go(steps))) history.go(-steps);
  else place.value = read();
}

// Links within the site change the address without loading the page anew.
function onClick(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.('a');
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!link || !plain || event.defaultPrevented || link.hasAttribute('target') || link.hasAttribute('download')) return;
  const { origin, pathname, search, hash } = new URL(link.getAttribute('href') ?? '', location.href); // also of a chart's link
  if (origin !== location.origin || !isPage(pathname)) return;
  if (hash && pathname === location.pathname) return;
  event.preventDefault();
  navigate(pathname + search);
  if (search === '') window.scrollTo(0, 0);
}

const isPage = (pathname: string) => pathname === '/' || pathname.startsWith('/admin/');

export function startRouter(): void {
  history.replaceState({ index }, ''); // also the first entry has its number
  addEventListener('popstate', onPop);
  document.addEventListener('click', onClick);
}

// Only paths of this site may follow a sign-in.
export function localPath(wanted: string | null): string {
  if (!wanted) return '/admin/';
  try {
    const url = new URL(wanted, location.origin);
    const fine = url.origin === location.origin && isPage(url.pathname) && /^\/(?![/\\])/.test(wanted);
    return fine ? url.pathname + url.search : '/admin/';
  } catch {
    return '/admin/';
  }
}
