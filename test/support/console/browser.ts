import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { findChrome } from './find-chrome.ts';

/** How a page is opened. */
export interface PageOptions {
  language?: 'en' | 'zh';
  /** In pixels; 1440 by 900 by default. */
  width?: number;
  colorScheme?: 'light' | 'dark';
}

/** A browser's page, and its errors. */
export interface OpenedPage {
  page: Page;
  /** Errors of scripts, and what the page's policy refused. */
  faults: string[];
}

/** Longest time until something is seen, in milliseconds. */
const SEEN_MS_MAX = 45_000;

const optionsOf = ({ language = 'en', width = 1_440, colorScheme = 'light' }: PageOptions): BrowserContextOptions => ({
  locale: language === 'zh' ? 'zh-CN' : 'en-US',
  viewport: { width, height: 900 },
  colorScheme,
  reducedMotion: 'reduce',
});

/** Replies that the page expects and shows in words. Browsers also log them to the console. */
const EXPECTED = /Failed to load resource/;

/**
 * A `describe` with one browser for all its tests. Without Chrome on this machine it is skipped, with a line that says
 * so.
 */
export const describeInBrowser = (
  name: string,
  tests: (open: (address: string, options?: PageOptions) => Promise<OpenedPage>) => void,
): void => {
  const executablePath = findChrome();
  if (executablePath === null) console.log(`No Chrome was found: "${name}" is not tested. CHROME_PATH names one.`);
  describe.skipIf(executablePath === null)(name, () => {
    let browser: Browser;
    beforeAll(async () => {
      // A container's root has no sandbox; the pages are our own.
      browser = await chromium.launch({ executablePath: String(executablePath), args: ['--no-sandbox'] });
    });
    afterAll(() => browser?.close());

    tests(async (address, options = {}) => {
      const context = await browser.newContext(optionsOf(options));
      onTestFinished(() => context.close());
      context.setDefaultTimeout(SEEN_MS_MAX);
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(message.text());
      });
      await page.goto(address);
      return { page, faults };
    });
  });
};
