// Where the reader is: the path and query of the address as a signal, and how to go elsewhere.
import { computed, signal } from '@preact/signals';

const read = () => ({ path: location.pathname, search: location.search });
export const place = signal(read());
export const path = computed(() => place.value.path);

export function navigate(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  place.value = read();
}

// Links within the site change the address without loading the page anew.
function onClick(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.('a');
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
  if (link.origin !== location.origin || !isPage(link.pathname)) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
  if (link.search === '') window.scrollTo(0, 0);
}

const isPage = (pathname: string) => pathname === '/' || pathname.startsWith('/admin/');

export function startRouter(): void {
  addEventListener('popstate', () => { place.value = read(); });
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
