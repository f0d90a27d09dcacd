import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
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

/** The modules that begin the parts which come as one file each, in the order in which a page needs them. */
const PART_ROOTS = [
  'main.tsx',
  'session/session-screen.tsx',
  'inbox/item-card.tsx',
  'session/inspector.tsx',
  'timeline/timeline-pane.tsx',
].map((file) => fileURLToPath(new URL(file, import.meta.url)));

/** A module, and all that it imports and what that imports, except by `import()`. */
const withImports = (root: string, context: Rolldown.ChunkingContext): ReadonlySet<string> => {
  const found = new Set([root]);
  for (const id of found) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
};

/**
 * The parts; a module comes with the first one that imports it. Otherwise each set of screens that share a module would
 * have a file of its own, and the first screen would wait for some twenty of them.
 */
const parts = PART_ROOTS.map((root, place): Rolldown.CodeSplittingGroup => {
  const name = basename(root, '.tsx');
  let modules: ReadonlySet<string> | undefined;
  return {
    debugName: name,
    priority: PART_ROOTS.length - place,
    name: (id, context) => {
      modules ??= withImports(root, context);
      return modules.has(id) ? name : null;
    },
  };
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
    rolldownOptions: { output: { codeSplitting: { groups: parts } } },
  },
  server: { proxy: { '/v1': SERVICE } },
});
