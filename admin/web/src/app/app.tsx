// Chooses the page for the address. The map and the administration are loaded when first shown.
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { PreviewDialog } from '../ui/ask_preview.tsx';
import { Notices } from '../ui/notices.tsx';
import { UndoDialog } from '../ui/undo_dialog.tsx';
import { LeaveDialog } from '../ui/unsaved.tsx';
import { PasswordDialog } from './password_dialog.tsx';
import { session } from './api.ts';
import { usePart, Waiting } from './loaded.tsx';
import { navigate, path, place } from './router.ts';

const loaders = {
  map: async () => (await import('../map/page.tsx')).MapPage as ComponentType,
  login: async () => (await import('./login.tsx')).Login,
  admin: async () => (await import('./admin.tsx')).Admin,
};
type Part = keyof typeof loaders;

function partOf(pathname: string): Part {
  if (pathname === '/admin/login/') return 'login';
  return pathname.startsWith('/admin/') ? 'admin' : 'map';
}

// Of the page that an address names, while language and session are on their way.
export function loadAhead({ pathname, search }: Location): void {
  const part = partOf(pathname);
  if (part === 'map') void import('../map/ahead.ts').then(({ askAhead }) => askAhead(search), () => undefined);
  loaders[part]().catch(() => undefined); // the page says what is wrong
}

export function App() {
  const part = partOf(path.value);
  const signedIn = session.value?.signed_in ?? false;
  const mustSignIn = part === 'admin' && !signedIn;
  useEffect(() => {
    const next = place.value.path + place.value.search;
    if (mustSignIn) navigate(`/admin/login/?next=${encodeURIComponent(next)}`, 'replace');
  }, [mustSignIn]);
  return (
    <>
      <a class="skip" href="#main">{t('Skip to the content')}</a>
      {!mustSignIn && <Loaded part={part} />}
      <Notices />
      <UndoDialog />
      <PreviewDialog />
      <LeaveDialog />
      <PasswordDialog />
    </>
  );
}

function Loaded({ part }: { part: Part }) {
  const { value: shown, problem } = usePart(part, loaders[part]);
  if (shown?.key !== part) return <Waiting problem={problem} />;
  return <shown.Part />;
}
