import { describe, expect, it } from 'vitest';
import { createNotices } from '../../src/engine/notices.ts';

const never = new AbortController().signal;

describe('Waiters for the same', () => {
  it('wait no more when their signal aborts, and it says why', async () => {
    const notices = createNotices<string>();
    const gone = new AbortController();
    const [one, other] = [notices.next('a', gone.signal), notices.next('a', never)];
    gone.abort(new Error('gone'));
    await expect(one).rejects.toThrow('gone');
    await expect(notices.next('a', gone.signal)).rejects.toThrow('gone');
    notices.notify('a', 'news');
    expect(await other).toBe('news');
  });
});
