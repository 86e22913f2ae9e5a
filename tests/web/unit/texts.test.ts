// All four languages are complete, and no text is kept that no page shows.
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plurals, serverTexts, texts } from '../../../admin/web/src/i18n/en.ts';
import { es } from '../../../admin/web/src/i18n/es.ts';
import { fr } from '../../../admin/web/src/i18n/fr.ts';
import { pt } from '../../../admin/web/src/i18n/pt.ts';

const source = resolve(import.meta.dirname, '../../../admin/web/src');
const keys = [...texts, ...serverTexts, ...Object.keys(plurals)].sort();
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each([['French', fr], ['Spanish', es], ['Portuguese', pt]])('%s', (_, messages) => {
  it('has every text of English and no other', () => {
    expect(Object.keys(messages).sort()).toEqual(keys);
  });

  it('has the same placeholders, and nothing empty', () => {
    for (const [key, value] of Object.entries(messages)) {
      for (const text of typeof value === 'string' ? [value] : Object.values(value)) {
        expect(text.trim(), key).not.toBe('');
        expect(placeholders(text), key).toEqual(placeholders(key));
      }
    }
  });
});

it('English has no text twice', () => {
  expect(new Set(keys).size).toBe(keys.length);
});

it('English has no text that no page shows', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('i18n'));
  const code = files.map((name) => readFileSync(join(source, name), 'utf8')).join('\n').replaceAll("\\'", "'");
  expect([...texts, ...Object.keys(plurals)].filter((text) => !code.includes(text))).toEqual([]);
});
