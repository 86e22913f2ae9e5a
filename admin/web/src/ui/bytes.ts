// "1.4 GB", in the reader's language: three digits are enough to see how much it is.
import { language } from '../i18n/index.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function bytes(value: number): string {
  const power = value < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return new Intl.NumberFormat(language(), {
    style: 'unit', unit: units[power]!, unitDisplay: power === 0 ? 'long' : 'short', maximumSignificantDigits: 3,
  }).format(value / 1000 ** power);
}
