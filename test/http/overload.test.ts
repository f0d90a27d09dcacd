import { describe, expect, it } from 'vitest';
import { startHttpOn } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

/** Any delay of the event loop is above it. */
const OVER = { loopDelayMsMax: Number.MIN_VALUE, loopSampleMs: 10 };

const start = (settlingMs: number) =>
  startHttpOn(stubEngine({ sessions: async () => ({ items: [], next: null }) }), { limits: { ...OVER, settlingMs } });

describe('A service whose event loop is late', () => {
  it('refuses requests and says when to try again, but tells that it lives', async () => {
    const { port } = await start(0);
    const refusal = async () => {
      const answer = await ask(port, '/v1/sessions');
      return answer.status === 200 ? 'taken' : { ...answer.problem, retryAfter: answer.headers['retry-after'] };
    };
    await expect
      .poll(refusal)
      .toMatchObject({ type: '/problems/overloaded', status: 503, retryAfter: expect.stringMatching(/^[1-9]/) });
    expect((await ask(port, '/healthz')).status).toBe(200);
  });

  it('takes requests while it has only just begun to listen', async () => {
    const { port, http } = await start(Number.POSITIVE_INFINITY);
    await expect.poll(() => http.memoryUsage().eventLoopDelay).toBeGreaterThan(OVER.loopDelayMsMax);
    expect((await ask(port, '/v1/sessions')).status).toBe(200);
  });
});
