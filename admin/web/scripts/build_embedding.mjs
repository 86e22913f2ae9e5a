// Builds dist/staticfiles/gren-map-visualization/: gren-map.<lang>.js, one script for each language
// with nothing to load besides, and styles.css. The names have no hash, since other sites link to them.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

// The module netml:language, with one language in it.
const language = (code) => ({
  name: 'netml-language',
  resolveId: (id) => (id === 'netml:language' ? '\0netml:language' : null),
  load: (id) => {
    if (id !== '\0netml:language') return null;
    return code === 'en'
      ? 'export const code = "en"; export const messages = null;'
      : `export const code = "${code}"; export { ${code} as messages } from ${JSON.stringify(path(`../src/i18n/${code}.ts`))};`;
  },
});

for (const code of ['en', 'fr', 'es', 'pt']) {
  await build({
    root: path('..'),
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [language(code)],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      outDir: 'dist/staticfiles/gren-map-visualization',
      emptyOutDir: false,
      reportCompressedSize: false,
      lib: {
        entry: path('../src/embedding/main.tsx'), formats: ['iife'], name: 'netmlMap',
        fileName: () => `gren-map.${code}.js`, cssFileName: 'styles',
      },
    },
  });
}
