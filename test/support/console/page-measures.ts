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

/** How a list scrolls. */
export interface Scrolling {
  /** How long each frame takes. */
  frames: Measured;
  /** Frames that a screen of 60 a second would have shown and that were not drawn. */
  missed: number;
  /** Processor time of the page's main thread for each frame, in milliseconds: what else the machine does counts little. */
  cpu: number;
}

/** Length of a frame at 60 a second, in milliseconds. */
const FRAME_MS = 1_000 / 60;

/** Begins to count the processor time of the page's main thread; the returned function says it in milliseconds, and ends. */
const measureCpu = async (page: Page): Promise<() => Promise<number>> => {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const seconds = async (): Promise<number> =>
    (await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  const before = await seconds();
  return async () => {
    const used = (await seconds()) - before;
    await client.detach();
    return used * 1_000;
  };
};

/** Scrolls an element by so many pixels in each frame, so many frames long. */
export const measureScroll = async (
  page: Page,
  selector: string,
  { pixels, frames }: { pixels: number; frames: number },
): Promise<Scrolling> => {
  const used = await measureCpu(page);
  const times = (await page.evaluate(`(async () => {
    const list = document.querySelector(${JSON.stringify(selector)});
    const times = [];
    let last = await new Promise(requestAnimationFrame);
    for (let i = 0; i < ${frames}; i++) {
      list.scrollTop += ${pixels};
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
    }
    return times;
  })()`)) as number[];
  const cpu = await used();
  return {
    frames: measured(times),
    missed: times.reduce((sum, time) => sum + Math.max(0, Math.round(time / FRAME_MS) - 1), 0),
    cpu: Math.round((cpu / frames) * 10) / 10,
  };
};

/** Lays a list of the same rows over the page's list, in `#floor`: plain elements and no script, the best that this browser can scroll. */
export const addFloor = (page: Page, rows: number): Promise<void> =>
  page.evaluate(`{
    const list = document.querySelector('[role=listbox]');
    const box = list.getBoundingClientRect();
    const floor = Object.assign(document.createElement('div'), { id: 'floor' });
    Object.assign(floor.style, { position: 'fixed', zIndex: 9, overflow: 'auto', contain: 'strict', background: 'Canvas' });
    for (const side of ['top', 'left', 'width', 'height']) floor.style[side] = box[side] + 'px';
    const shown = [...list.querySelectorAll('[role=option]')];
    for (let i = 0; i < ${rows}; i++) {
      const row = shown[i % shown.length].cloneNode(true);
      row.removeAttribute('id');
      Object.assign(row.style, { position: 'static', transform: 'none' });
      floor.append(row);
    }
    document.body.append(floor);
  }`);

/**
 * Begins to note how long the page's main thread is blocked, each time for more than 50 ms, or takes in what it was since the page was opened; the
 * returned function says the longest, in milliseconds.
 */
export const measureBlocks = async (page: Page, { sinceOpened = false } = {}): Promise<() => Promise<number>> => {
  await page.evaluate(`{
    globalThis.blocks_seen?.disconnect();
    globalThis.blocks_ms = [];
    globalThis.blocks_seen = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.blocks_ms.push(duration);
    });
    globalThis.blocks_seen.observe({ type: 'longtask', buffered: ${sinceOpened} });
  }`);
  return async () => {
    // An observer hears of a block in a later task.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    return Math.round((await page.evaluate('Math.max(0, ...blocks_ms)')) as number);
  };
};

/** Moves the slider to and fro over a history of so many entries: how long the page takes for each move until it is drawn, and in processor time. */
export const measureJumps = async (
  page: Page,
  entries: number,
  jumps: number,
): Promise<Measured & Pick<Scrolling, 'cpu'>> => {
  const used = await measureCpu(page);
  const times = measured(
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
  return { ...times, cpu: Math.round((await used()) / jumps) };
};

/** Drops a file on the page. */
export const dropFile = async (page: Page, name: string, text: string): Promise<void> => {
  await page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }`);
};
