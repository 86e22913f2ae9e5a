import { defineConfig } from 'vite';

// Where `npm run dev` takes the data from: a program with its usual address.
const program = { target: 'http://127.0.0.1:8080', changeOrigin: false };

// The site. Everything that has a hash in its name goes below /staticfiles/assets/, where the
// server lets browsers keep it for ever.
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { proxy: { '/api': program, '/visualization': program, '/swagger-ui': program } },
  build: {
    target: 'es2022',
    assetsDir: 'staticfiles/assets',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content policy allows data: for pictures only
    reportCompressedSize: false,
  },
});
