import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { chartPlugin } from './machine/chart-layout.ts';

/** Where a checkout's service listens by default, for `npx vite --config src/console/vite.config.ts`. */
const SERVICE = 'http://127.0.0.1:8787';

/** The page's own link to the face of its texts: otherwise it is asked for only once the styles are there. */
const fontPlugin = (): Plugin => ({
  name: 'preloaded-font',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => /\/inter-.*\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/console/${file}`, crossorigin: '' },
          injectTo: 'head' as const,
        })),
  },
});

/** How the console is built: hashed files below `assets/`, and nothing inline, which the page's policy forbids. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  // Files find each other beside themselves, whatever prefix a proxy serves the page below.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  publicDir: false,
  plugins: [chartPlugin(), fontPlugin()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    // The polyfill is only for browsers older than the target.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
  },
  server: { proxy: { '/v1': SERVICE } },
});
