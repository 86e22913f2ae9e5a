// Where the site begins: language, look and session first, then the page that the address names.
import { render } from 'preact';
import { App, loadAhead } from './app/app.tsx';
import { loadSession } from './app/api.ts';
import { startRouter } from './app/router.ts';
import { startTheme } from './app/theme.ts';
import { chooseLanguage, preferredLanguage } from './i18n/load.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/list.css';
import './styles/form.css';

startTheme();
startRouter();
loadAhead(location);
await Promise.all([
  chooseLanguage(preferredLanguage(document.cookie, navigator.languages), false).catch(() => undefined), // English then
  loadSession().catch(() => undefined), // the pages say what is wrong
]);
render(<App />, document.getElementById('app')!);
