import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPolled } from '../../src/console/api/resource.ts';

/** As much of a browser's document as says whether the page is seen. */
const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });

const show = (visibilityState: 'visible' | 'hidden'): void => {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  vi.stubGlobal('document', page);
  page.visibilityState = 'visible';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const startList = () => {
  let requests = 0;
  const list = createPolled(async () => ++requests, 3_000);
  const stop = list.use();
  return { list, stop, requests: () => requests };
};

const minute = (): Promise<unknown> => vi.advanceTimersByTimeAsync(60_000);

describe('a list that is polled', () => {
  it('is asked for twenty times a minute, not at all while the page is not seen, and at once when it is seen again', async () => {
    const { list, stop, requests } = startList();
    await minute();
    expect(requests()).toBe(21);
    show('hidden');
    await minute();
    expect(requests()).toBe(21);
    show('visible');
    await vi.advanceTimersByTimeAsync(0);
    expect(requests()).toBe(22);
    expect(list.loaded.value.value).toBe(22);
    stop();
    await minute();
    expect(requests()).toBe(22);
  });
});
