// The administration: header, side list, bread crumbs, and the section that the address names.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { isShown, sectionOf, shownGroups } from '../sections/index.ts';
import { t } from '../i18n/index.ts';
import { RecordForm } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { RecordList } from '../ui/list.tsx';
import { RecordHistory } from '../sections/history.tsx';
import { session } from './api.ts';
import { ExportBanner } from './export_state.tsx';
import { Crumbs, Header } from './header.tsx';
import { WaitingPage } from './loaded.tsx';
import { Palette } from './palette.tsx';
import { Password } from './password.tsx';
import { place } from './router.ts';
import { collection, type Section } from './section.ts';
import { Start } from './start.tsx';

export function Admin() {
  const parts = place.value.path.split('/').filter(Boolean).slice(1);
  const section = sectionOf(parts[0]);
  const menuOpen = useSignal(false);
  const paletteOpen = useSignal(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOurs = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isOurs || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      paletteOpen.value = true;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  useLayoutEffect(() => { // before anybody can have gone into a field of the page
    menuOpen.value = false;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [place.value.path]);
  return (
    <div class="admin">
      <Header onMenu={() => { menuOpen.value = !menuOpen.value; }} menuOpen={menuOpen.value}
        onGo={() => { paletteOpen.value = true; }} />
      {paletteOpen.value && <Palette onClose={() => { paletteOpen.value = false; }} />}
      <div class="banners">
        <ExportBanner />
        <Banner />
      </div>
      <SideList current={section} open={menuOpen.value} />
      <div class="content">
        <Crumbs section={section} rest={parts.slice(1)} />
        <main id="main" tabIndex={-1}>
          <Body section={section} parts={parts} />
        </main>
      </div>
    </div>
  );
}

function Body({ section, parts }: { section: Section | undefined; parts: string[] }) {
  if (parts.length === 0) return <Start />;
  if (parts[0] === 'password') return <Password />;
  if (parts[0] === 'history' && isNumber(parts[1])) return <RecordHistory key={parts[1]} path={`records/${parts[1]}`} />;
  if (!section || !isShown(section)) return <NoSuchPage />;
  const rest = parts.slice(1);
  if (section.page && (rest.length > 0 || !section.list)) {
    return <section.page key={section.key} rest={rest} />;
  }
  if (rest.length === 0) return <RecordList key={section.key} section={section} />;
  if (rest[0] === 'add') return <RecordForm key={`${section.key}-add`} section={section} number={null} />;
  if (!isNumber(rest[0])) return <NoSuchPage />;
  const number = Number(rest[0]);
  if (rest[1] === 'history') return <RecordHistory key={rest[0]} path={`${collection(section)}/${number}`} />;
  return <RecordForm key={`${section.key}-${number}`} section={section} number={number} />;
}

const NoSuchPage = () => <WaitingPage title={t('Not found')} problem={t('There is no such page.')} />;

const isNumber = (text: string | undefined) => /^\d+$/.test(text ?? '');

function SideList({ current, open }: { current: Section | undefined; open: boolean }) {
  return (
    <nav id="sections" class={open ? 'side open' : 'side'} aria-label={t('Sections')}>
      {shownGroups().map((group) => (
        <div key={group.title} class="group">
          <h2>{t(group.title)}</h2>
          <ul>
            {group.sections.map((section) => (
              <li key={section.key}>
                <a href={`/admin/${section.key}/`} aria-current={section === current ? 'page' : undefined}>
                  <Icon name={section.icon} />{t(section.title)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Banner() {
  const { mode, read_only: readOnly } = session.value ?? {};
  if (readOnly) return <p class="banner" role="alert">{t('This node accepts no changes at present. See the log of the server.')}</p>;
  if (mode === 'development') return <p class="banner">{t('Development mode: not for use in public.')}</p>;
  if (mode === 'test') return <p class="banner">{t('Test mode: the endpoints of functional tests are open.')}</p>;
  if (mode === 'sandbox') return <p class="banner">{t('Sandbox: data may be deleted at any time.')}</p>;
  return null;
}
