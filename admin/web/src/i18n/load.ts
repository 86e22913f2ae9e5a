// Which language the reader wants, and its texts, loaded when they are.
import { bringMessages, languages, type Language, type Messages } from './index.ts';

const cookieName = 'netml_language';
const loaders: Record<Exclude<Language, 'en'>, () => Promise<Messages>> = {
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  pt: async () => (await import('./pt.ts')).pt,
};

// From the cookie, else the first of the browser's languages that there is, else English.
export function preferredLanguage(cookie: string, wanted: readonly string[]): Language {
  const kept = new RegExp(`(?:^|; )${cookieName}=(\\w+)`).exec(cookie)?.[1];
  const codes = [kept, ...wanted.map((tag) => tag.slice(0, 2).toLowerCase())];
  return (codes.find((code) => code !== undefined && code in languages) ?? 'en') as Language;
}

let chosen: Language | null = null;

export async function chooseLanguage(code: Language, remember = true): Promise<void> {
  chosen = code;
  const messages = code === 'en' ? null : await loaders[code]();
  if (chosen !== code) return; // another one was chosen meanwhile
  if (remember) document.cookie = `${cookieName}=${code}; Path=/; Max-Age=31536000; SameSite=Lax`;
  document.documentElement.lang = code;
  bringMessages(code, messages);
}
