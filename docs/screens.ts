import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChrome } from '../test/support/console/find-chrome.ts';
import { openShop, type Shop } from './shop.ts';

/**
 * The pictures of docs/console.md. `node docs/screens.ts` takes them all from a running service and console; with names, only
 * those. It needs `cwebp` (Debian: `apt-get install webp`).
 */
const FOLDER = fileURLToPath(new URL('./screens/', import.meta.url));

/** Largest picture, in bytes. */
const BYTES_MAX = 80_000;

interface Screen {
  name: string;
  /** Where it is, in a shop. */
  address: (shop: Shop) => string;
  /** A text that is there when all is. */
  seen: string;
  /** The steps that come before the picture. */
  open?: (page: Page) => Promise<void>;
  /** A second picture is in the dark. */
  isAlsoDark?: boolean;
  language?: 'zh';
  isPhone?: boolean;
}

const session =
  (name: string, query = '') =>
  () =>
    `/console/sessions/${name}${query}`;

const SCREENS: readonly Screen[] = [
  { name: 'home', seen: 'Notify', address: () => '/console/', isAlsoDark: true },
  { name: 'session', seen: 'Approve', address: session('order-1043'), isAlsoDark: true },
  {
    name: 'edit',
    seen: 'Approve',
    address: session('order-1043'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Amount').fill('nineteen');
    },
  },
  {
    name: 'answer',
    seen: 'What to change',
    address: session('policies'),
    open: (page) => page.getByRole('button', { name: 'Good answer' }).waitFor(),
  },
  { name: 'timeline', seen: 'paid_euros', address: session('order-1043', '?tab=timeline&call=4'), isAlsoDark: true },
  {
    name: 'prompt',
    seen: 'Only what changed',
    address: session('order-1043', '?tab=timeline&call=15&part=prompt'),
    open: (page) => page.getByRole('button', { name: 'Only what changed' }).click(),
  },
  { name: 'machine', seen: 'May come next', address: session('order-1043', '?tab=machine&seq=8'), isAlsoDark: true },
  {
    name: 'fork',
    seen: 'Recalled',
    address: ({ tasks }) => `/console/sessions/milk/tasks/${tasks.get('milk')}?seq=3&dialog=fork`,
  },
  {
    name: 'compare',
    seen: 'From here on they differ',
    address: ({ tasks }) => `/console/compare?left=milk/${tasks.get('milk')}&right=milk-fork/${tasks.get('milk-fork')}`,
  },
  { name: 'rerun', seen: 'First difference', address: ({ rerun }) => `/console/reruns?id=${rerun}` },
  { name: 'usage', seen: 'By day', address: () => '/console/system?tab=usage' },
  { name: 'chinese', seen: 'Café Einstein：410 €，没有投影仪', address: session('venue'), language: 'zh' },
  { name: 'phone', seen: 'Approve', address: session('order-1043'), isPhone: true },
];

const take = async (browser: Browser, shop: Shop, screen: Screen, colorScheme: 'light' | 'dark'): Promise<Buffer> => {
  const { address, seen, open, language, isPhone = false } = screen;
  const context = await browser.newContext({
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1_440, height: 900 },
    hasTouch: isPhone,
    isMobile: isPhone,
    locale: language === 'zh' ? 'zh-CN' : 'en-US',
    timezoneId: 'UTC',
    colorScheme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(240_000);
  const page = await context.newPage();
  await page.goto(shop.url + address(shop));
  await page.getByText(seen).first().waitFor();
  await open?.(page);
  // The history is replayed in the page, and the last of it comes with the next frames.
  await page.locator('progress').waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
  const png = await page.screenshot({ animations: 'disabled' });
  await context.close();
  return png;
};

/** Writes a picture as small as it has to be. */
const write = (png: Buffer, file: string, folder: string): void => {
  const source = join(folder, 'screen.png');
  writeFileSync(source, png);
  for (const quality of ['60', '45', '30']) {
    execFileSync('cwebp', ['-quiet', '-m', '6', '-q', quality, source, '-o', file], { stdio: 'inherit' });
    if (statSync(file).size < BYTES_MAX) return;
  }
  throw new Error(`${file} is larger than ${BYTES_MAX} bytes`);
};

const wanted = process.argv.slice(2);
const temporary = mkdtempSync(join(tmpdir(), 'tripact-screens-'));
mkdirSync(FOLDER, { recursive: true });
const shop = await openShop();
const browser = await chromium.launch({ executablePath: findChrome() ?? '', args: ['--no-sandbox'] });
try {
  for (const screen of SCREENS) {
    if (wanted.length > 0 && !wanted.includes(screen.name)) continue;
    write(await take(browser, shop, screen, 'light'), join(FOLDER, `${screen.name}.webp`), temporary);
    if (screen.isAlsoDark === true)
      write(await take(browser, shop, screen, 'dark'), join(FOLDER, `${screen.name}-dark.webp`), temporary);
  }
} finally {
  await browser.close();
  await shop.close();
  rmSync(temporary, { recursive: true, force: true });
}
