// The bar above every administration page, and the bread crumbs below it.
import { useSignal } from '@preact/signals';
import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { attempt } from '../ui/notices.tsx';
import { loadSession, remove, session } from './api.ts';
import { LanguageAndTheme } from './look.tsx';
import { navigate } from './router.ts';
import type { Section } from './section.ts';

export async function logOut(): Promise<void> {
  await attempt(async () => {
    await remove('session');
    navigate('/'); // first: without a session this page would ask to sign in
    await loadSession();
  });
}

export function Header({ onMenu, menuOpen, onGo }: { onMenu: () => void; menuOpen: boolean; onGo: () => void }) {
  const account = session.value?.account;
  return (
    <header class="top">
      <button type="button" class="quiet menu" aria-label={t('Sections')} aria-expanded={menuOpen}
        aria-controls="sections" onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <a class="logo" href="/" aria-label={t('View map')}><Icon name="topology" /></a>
      <a class="site-name" href="/admin/">{t('Administration')}</a>
      <button type="button" class="quiet go" aria-keyshortcuts="Control+K" onClick={onGo}>
        <Icon name="search" /><span>{t('Go to')}</span> <kbd>Ctrl K</kbd>
      </button>
      <span class="end">
        <BuildLine />
        <LanguageAndTheme />
        <a href="/">{t('View map')}</a>
        <a href="/swagger-ui/" target="_blank" rel="noreferrer">{t('API docs')}</a>
        {session.value?.sign_in !== 'proxy' && <a href="/admin/password/">{t('Change password')}</a>}
        <strong class="account" title={account?.role}>{account?.name}</strong>
      </span>
    </header>
  );
}

function BuildLine() {
  const open = useSignal(false);
  const version = session.value?.version ?? t('not available');
  return (
    <>
      <button type="button" class="quiet build" onClick={() => { open.value = true; }}>{version}</button>
      {open.value && (
        <Dialog title={t('About this node')} onClose={() => { open.value = false; }}>
          <dl class="dialog-body facts">
            <dt>{t('Version')}</dt><dd>{version}</dd>
            <dt>{t('Mode')}</dt><dd>{session.value?.mode ?? t('not available')}</dd>
            <dt>{t('Base map')}</dt><dd>Natural Earth, world-atlas 2.0.2</dd>
          </dl>
        </Dialog>
      )}
    </>
  );
}

export function Crumbs({ section, rest }: { section: Section | undefined; rest: string[] }) {
  const role = session.value?.account?.role;
  return (
    <nav class="crumbs" aria-label={t('You are here')}>
      <ol>
        <li><a href="/admin/">{t('Administration')}</a></li>
        {section && <li><a href={`/admin/${section.key}/`}>{t(section.title)}</a></li>}
        {rest[0] && <li aria-current="page">{rest[0] === 'add' ? t('Add') : rest[0]}</li>}
        {rest[1] === 'history' && <li aria-current="page">{t('History')}</li>}
      </ol>
      <span class="end">
        <a id="fim_logout_admin" href="/admin/">{t('Admin')}</a>
        <button type="button" class="quiet" id={role === 'viewer' ? 'fim_logout_user' : 'fim_logout_staff'}
          onClick={() => void logOut()}>
          {t('Log out')}
        </button>
      </span>
    </nav>
  );
}
