import { defineConfig } from 'vite';

// The site. Everything that has a hash in its name goes below /staticfiles/assets/, where the
// server lets browsers keep it for ever.
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    assetsDir: 'staticfiles/assets',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content policy allows data: for pictures only
    reportCompressedSize: false,
  },
});
