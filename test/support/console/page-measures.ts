import type { Page } from 'playwright-core';

/*
 * Code that runs in the page is text: its types are a browser's, which the other tests know nothing of.
 */

/** Times in milliseconds, sorted out. */
export interface Measured {
  count: number;
  median: number;
  p95: number;
  max: number;
}

const measured = (times: number[]): Measured => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number => Math.round((sorted[Math.floor((sorted.length - 1) * part)] ?? 0) * 10) / 10;
  return { count: sorted.length, median: at(0.5), p95: at(0.95), max: at(1) };
};

/** Begins to measure how long each frame takes; the returned function says it, and ends. */
export const measureFrames = async (page: Page): Promise<() => Promise<Measured>> => {
  await page.evaluate(`{
    const frames = (globalThis.frames_ms = []);
    let last = performance.now();
    const frame = () => {
      frames.push(performance.now() - last);
      last = performance.now();
      if (globalThis.frames_ms === frames) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }`);
  return async () => measured((await page.evaluate('frames_ms.slice(1)')) as number[]);
};

/** Scrolls a list by so many pixels in each frame, so many frames long. */
export const scrollList = async (page: Page, pixels: number, frames: number): Promise<void> => {
  await page.evaluate(`(async () => {
    const list = document.querySelector('[role=listbox]');
    for (let i = 0; i < ${frames}; i++) {
      list.scrollTop += ${pixels};
      await new Promise(requestAnimationFrame);
    }
  })()`);
};

/** Moves the slider to and fro over a history of so many entries: how long the page takes for each move, until it is drawn. */
export const measureJumps = async (page: Page, entries: number, jumps: number): Promise<Measured> =>
  measured(
    (await page.evaluate(`(async () => {
      const slider = document.querySelector('input[type=range]');
      const times = [];
      for (let i = 0; i < ${jumps}; i++) {
        await new Promise(requestAnimationFrame);
        const began = performance.now();
        slider.value = String((i * 7919) % ${entries});
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve));
        document.body.getBoundingClientRect();
        times.push(performance.now() - began);
      }
      return times;
    })()`)) as number[],
  );

/** Drops a file on the page. */
export const dropFile = async (page: Page, name: string, text: string): Promise<void> => {
  await page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }`);
};
