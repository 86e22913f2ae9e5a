// Texts in four languages. The English sentence is the key, so a page reads as it will look, and
// the compiler refuses a text that the list in en.ts does not have.
import { signal } from '@preact/signals';
import type { changePlurals, changeTexts } from './changes/en.ts';
import type { deskPlurals, deskTexts } from './desk/en.ts';
import { plurals, serverTexts, texts } from './en.ts';
import type { fixPlurals, fixTexts } from './fixes/en.ts';
import type { mapPlurals, mapTexts } from './map/en.ts';
import type { webhookTexts } from './webhooks/en.ts';
import type { seenPlurals, seenTexts } from './seen/en.ts';

export type Plural = { one: string; other: string };
type Plain = (typeof texts)[number] | (typeof serverTexts)[number];
export type Text = Plain | keyof typeof plurals;
export type Messages = Record<Plain, string> & Record<keyof typeof plurals, Plural>;
// Those of planned changes, which changes/ translates.
export type ChangeMessages = Record<(typeof changeTexts)[number], string> & Record<keyof typeof changePlurals, Plural>;
// Those of routes and of the schematic view, which map/ translates.
export type MapMessages = Record<(typeof mapTexts)[number], string> & Record<keyof typeof mapPlurals, Plural>;
// Those of fixes of the map's quality, which fixes/ translates.
export type FixMessages = Record<(typeof fixTexts)[number], string> & Record<keyof typeof fixPlurals, Plural>;
// Those of the start page and of lists, which desk/ translates.
export type DeskMessages = Record<(typeof deskTexts)[number], string> & Record<keyof typeof deskPlurals, Plural>;
// Those of webhooks, which webhooks/ translates.
export type WebhookMessages = Record<(typeof webhookTexts)[number], string>;
// Those of what others see and of the stream of changes, which seen/ translates.
export type SeenMessages = Record<(typeof seenTexts)[number], string> & Record<keyof typeof seenPlurals, Plural>;
export type Arguments = Record<string, string | number>;

export const languages = { en: 'English', fr: 'Français', es: 'Español', pt: 'Português' } as const;
export type Language = keyof typeof languages;

const current = signal<{ language: Language; messages: Messages | null }>({
  language: 'en',
  messages: null, // English needs none but the plurals
});

export const language = () => current.value.language;

// The text in the current language, its {names} replaced. With `n`, the plural form for it.
export function t(text: Text, args?: Arguments): string {
  const { language: code, messages } = current.value;
  const found: string | Plural = messages?.[text] ?? plurals[text as keyof typeof plurals] ?? text;
  return fill(typeof found === 'string' ? found : pluralOf(found, code, args), args, code);
}

function pluralOf(plural: Plural, code: Language, args?: Arguments): string {
  const form = new Intl.PluralRules(code).select(Number(args?.n ?? 0));
  return form === 'one' ? plural.one : plural.other;
}

function fill(text: string, args: Arguments | undefined, code: Language): string {
  if (!args) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = args[name];
    return typeof value === 'number' ? value.toLocaleString(code) : (value ?? whole);
  });
}

const isText = new Set<string>([...texts, ...serverTexts, ...Object.keys(plurals)]);

// Text that comes from the server, translated where it is one of ours.
export const translated = (text: string, args?: Arguments): string =>
  isText.has(text) ? t(text as Text, args) : text;

// English needs no messages. load.ts brings those of the site, an embedding script its own.
export function bringMessages(code: Language, messages: Messages | null): void {
  current.value = { language: code, messages };
}

export const number = (value: number) => value.toLocaleString(current.value.language);

export function time(value: string | null | undefined): string {
  if (!value) return '–';
  const date = new Date(value);
  if (Number.isNaN(date.valueOf())) return value;
  return new Intl.DateTimeFormat(current.value.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(date);
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [['day', 86_400], ['hour', 3_600], ['minute', 60], ['second', 1]];

// "3 hours ago", "in 20 minutes"
export function relative(value: string): string {
  const seconds = (new Date(value).valueOf() - Date.now()) / 1000;
  const [unit, size] = units.find((each) => Math.abs(seconds) >= each[1]) ?? units[units.length - 1]!;
  return new Intl.RelativeTimeFormat(current.value.language, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

export const day = (value: string) =>
  new Intl.DateTimeFormat(current.value.language, { dateStyle: 'medium' }).format(new Date(value));

// "Fri 27", of a day in UTC such as 2026-11-27.
export const weekday = (value: string) =>
  new Intl.DateTimeFormat(current.value.language, { weekday: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(value));
