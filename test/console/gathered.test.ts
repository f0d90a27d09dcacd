import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createResource } from '../../src/console/api/resource.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A load that takes so long, and how often it was begun and how many went on at most. */
const slowLoad = (ms: number) => {
  const seen = { begun: 0, running: 0, atOnce: 0 };
  const load = async (): Promise<void> => {
    seen.begun += 1;
    seen.running += 1;
    seen.atOnce = Math.max(seen.atOnce, seen.running);
    await new Promise((resolve) => setTimeout(resolve, ms));
    seen.running -= 1;
  };
  return { seen, load };
};

describe('loads of changes', () => {
  it('are one for all changes until then', async () => {
    const { seen, load } = slowLoad(10);
    const { changed } = createResource(load);
    for (let i = 0; i < 100; i++) changed();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.begun).toBe(1);
    changed();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.begun).toBe(2);
  });

  it('end while changes go on and on, one at a time, and leave the service most of its time', async () => {
    const { seen, load } = slowLoad(200);
    const { changed } = createResource(load);
    const changes = setInterval(changed, 5);
    await vi.advanceTimersByTimeAsync(8_000);
    clearInterval(changes);
    expect(seen.atOnce).toBe(1);
    expect(seen.begun).toBeGreaterThanOrEqual(8);
    expect(seen.begun).toBeLessThanOrEqual(12);
  });

  it('see a change that comes while one goes on, and none after the end', async () => {
    const { seen, load } = slowLoad(100);
    const { changed, stop } = createResource(load);
    changed();
    await vi.advanceTimersByTimeAsync(120);
    changed();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(seen.begun).toBe(2);
    changed();
    stop();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(seen.begun).toBe(2);
  });
});
