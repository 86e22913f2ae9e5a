// Chooses the page for the address. The map and the administration are loaded when first shown.
import type { ComponentType } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { PreviewDialog } from '../ui/ask_preview.tsx';
import { Notices } from '../ui/notices.tsx';
import { UndoDialog } from '../ui/undo_dialog.tsx';
import { PasswordDialog } from './password_dialog.tsx';
import { session } from './api.ts';
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
      <PasswordDialog />
    </>
  );
}

function Loaded({ part }: { part: Part }) {
  const shown = useSignal<{ part: Part; Page: ComponentType } | null>(null);
  useEffect(() => {
    void loaders[part]().then((Page) => { shown.value = { part, Page }; });
  }, [part]);
  if (shown.value?.part !== part) return <p class="empty" aria-busy="true">{t('Loading …')}</p>;
  return <shown.value.Page />;
}
