import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { goalOf, LIFE_MS_MAX, SESSIONS } from './load.ts';

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Sends one turn and waits for its reply. Returns the milliseconds that it took. */
const turn = async (port: number, session: number): Promise<number> => {
  const began = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(
    {
      agent,
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: `/v1/sessions/bench-${session}/turns`,
      headers: { 'content-type': 'application/json' },
    },
    async (response) => {
      const { status, output } = (await json(response)) as { status: string; output: string };
      if (status === 'answered') resolve(performance.now() - began);
      else reject(new Error(`the turn ended as ${status}: ${output}`));
    },
  );
  sent.on('error', reject).end(JSON.stringify({ input: goalOf(session) }));
  return promise;
};

const port = Number(process.argv[2]);
process.on('message', async () => {
  process.send?.(await Promise.all(Array.from({ length: SESSIONS }, (_, session) => turn(port, session + 1))));
});
process.on('disconnect', () => process.exit());
setTimeout(() => process.exit(1), LIFE_MS_MAX).unref();
// The first turn makes the server load its lazily loaded parts.
process.send?.(await turn(port, 0));
