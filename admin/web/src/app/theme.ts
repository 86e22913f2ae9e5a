// Light or dark: as the system wants, or as the reader chose.
import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
const key = 'netml-theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

export const theme = signal<Theme>((localStorage.getItem(key) as Theme | null) ?? 'system');
export const dark = signal(false);

function apply(): void {
  dark.value = theme.value === 'dark' || (theme.value === 'system' && systemIsDark.matches);
  document.documentElement.dataset.theme = dark.value ? 'dark' : 'light';
}

export function chooseTheme(chosen: Theme): void {
  localStorage.setItem(key, chosen);
  theme.value = chosen;
  apply();
}

export function startTheme(): void {
  systemIsDark.addEventListener('change', apply);
  apply();
}
