declare module '*.css';

// Made by scripts/build_embedding.mjs: the one language of an embedding script.
declare module 'netml:language' {
  export const code: import('./i18n/index.ts').Language;
  export const messages: import('./i18n/index.ts').Messages | null;
}
