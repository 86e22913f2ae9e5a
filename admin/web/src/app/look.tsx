// The switches for language and light or dark.
import { language, languages, t, type Language } from '../i18n/index.ts';
import { chooseLanguage } from '../i18n/load.ts';
import { Icon } from '../ui/icons.tsx';
import { chooseTheme, dark } from './theme.ts';

// One that cannot be fetched now is not chosen.
function choose(select: HTMLSelectElement): void {
  chooseLanguage(select.value as Language).catch(() => { select.value = language(); });
}

export function LanguageAndTheme() {
  return (
    <span class="look">
      <select aria-label={t('Language')} value={language()}
        onChange={(event) => choose(event.currentTarget)}>
        {Object.entries(languages).map(([code, name]) => <option key={code} value={code} lang={code}>{name}</option>)}
      </select>
      <button type="button" class="quiet" aria-label={dark.value ? t('Light theme') : t('Dark theme')}
        onClick={() => chooseTheme(dark.value ? 'light' : 'dark')}>
        <Icon name={dark.value ? 'sun' : 'moon'} />
      </button>
    </span>
  );
}
