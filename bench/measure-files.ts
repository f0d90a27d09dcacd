import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PNG } from '../test/support/service/sample-files.ts';
import { type Processes, type Served, whenReady, withProcesses } from './processes.ts';

/** The folder for the sessions, and their number: each has one turn of two images. */
const [, , DIR = '', SESSIONS_GIVEN = '100'] = process.argv;
const SESSIONS = Number(SESSIONS_GIVEN);

/** Turns whose model is kept waiting, to see what each of them holds. */
const HELD = 4;

/** An image of 5 MB, the largest that is taken: two of them are 10 MB. */
const IMAGE = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024 - PNG.length)]);
const IMAGES = 2;

/** Memory of a process now, and the most so far, in MiB. */
const memoryOf = ({ process: { pid } }: Served): { now: number; peak: number } => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: field('VmRSS'), peak: field('VmHWM') };
};

/** The image of a session: each session has bytes of its own. */
const imageOf = (session: number, at: number): Buffer => {
  const image = Buffer.from(IMAGE);
  image.writeUInt32BE(session * IMAGES + at, image.length - 4);
  return image;
};

/** Memory that the process still refers to, heap and buffers after a full collection, in MiB. The rest is garbage. */
const LIVE_SCRIPT = `process.on('SIGUSR2', async () => {
  const { writeFileSync, renameSync } = await import('node:fs');
  for (let i = 0; i < 3; i++) { gc(); await new Promise((resolve) => setTimeout(resolve, 50)); }
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync('live.new', String((heapUsed + external) / 2 ** 20));
  renameSync('live.new', 'live');
})`;

const LIVE_FLAGS = ['--expose-gc', `--import=data:text/javascript,${encodeURIComponent(LIVE_SCRIPT)}`];

const liveMemory = async ({ process: { pid } }: Served, cwd: string): Promise<number> => {
  const file = join(cwd, 'live');
  rmSync(file, { force: true });
  process.kill(pid!, 'SIGUSR2');
  while (!existsSync(file)) await sleep(20);
  return Number(readFileSync(file, 'utf8'));
};

/** The ways of sending, by the name of the measure's figures. */
const WAYS: Record<string, (session: number) => { path: string; init: RequestInit }> = {
  form: (session) => {
    const form = new FormData();
    form.set('input', 'What is the release still missing?');
    for (let at = 0; at < IMAGES; at++) form.append('file', new Blob([new Uint8Array(imageOf(session, at))]), 'a.png');
    return { path: `/v1/sessions/form-${session}/turns`, init: { body: form } };
  },
  chat: (session) => {
    const images = Array.from({ length: IMAGES }, (_, at) => ({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${imageOf(session, at).toString('base64')}` },
    }));
    const content = [{ type: 'text', text: 'What is the release still missing?' }, ...images];
    const headers = { 'content-type': 'application/json', 'x-session-id': `chat-${session}` };
    return {
      path: '/v1/chat/completions',
      init: { headers, body: JSON.stringify({ messages: [{ role: 'user', content }] }) },
    };
  },
};

const send = async (server: Served, way: string, session: number): Promise<void> => {
  const { path, init } = WAYS[way]!(session);
  const response = await fetch(server.url + path, { method: 'POST', ...init });
  const body = await response.text();
  if (!response.ok) throw new Error(body);
};

/** Turns without files that come first, so that only files count: code is compiled, and the heap has its size. */
const WARM_UP = 50;

const warmUp = async (server: Served): Promise<void> => {
  for (let turn = 0; turn < WARM_UP; turn++) {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"input":"What is missing?"}',
    };
    const response = await fetch(`${server.url}/v1/sessions/warm-${turn}/turns`, init);
    if (!response.ok) throw new Error(await response.text());
  }
};

/** Sends a turn of each session, so many at once; returns the service's memory before, at most, and after. */
const load = async (server: Served, way: string, atOnce: number) => {
  const before = memoryOf(server).now;
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < SESSIONS) {
      await send(server, way, next++);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  const { now, peak } = memoryOf(server);
  return { before, peak, after: now };
};

interface ModelServer {
  url: string;
  calls(): number;
  /** Keeps all calls waiting that come from now on, and resolves once there are so many. */
  hold(calls: number): Promise<void>;
  release(): void;
  close(): void;
}

/** A model that keeps nothing of a request, and answers every call at once, unless it is held, that all is done. */
const startModel = async (): Promise<ModelServer> => {
  let calls = 0;
  let held: { answer: Promise<void>; release(): void; wanted: number; reached(): void } | null = null;
  const server = createServer(async (request, response) => {
    request.resume();
    await once(request, 'end');
    calls += 1;
    if (held !== null) {
      held.wanted -= 1;
      if (held.wanted === 0) held.reached();
      await held.answer;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        ...{ id: 'm', type: 'message', role: 'assistant', model: 'bench', stop_sequence: null },
        stop_reason: 'tool_use',
        content: [{ type: 'tool_use', id: 't', name: 'finish', input: { response: 'Seen.' } }],
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    hold: (wanted) => {
      const { promise: answer, resolve: release } = Promise.withResolvers<void>();
      const { promise, resolve: reached } = Promise.withResolvers<void>();
      held = { answer, release, wanted, reached };
      return promise;
    },
    release: () => {
      held?.release();
      held = null;
    },
    close: () => void server.close(),
  };
};

/**
 * How much the service's memory grows as sessions send 10 MB of images each, some at once; what of that is still
 * referred to (`kept`); and what each turn holds while its model thinks (`perTurnInFlight`). The model speaks the wire and
 * gets the images at each call.
 */
const files = async (dir: string, { serve, stop }: Processes): Promise<void> => {
  for (const way of Object.keys(WAYS))
    for (const atOnce of [1, 4]) {
      const model = await startModel();
      const cwd = `${dir}/${way}-${atOnce}`;
      mkdirSync(cwd, { recursive: true });
      const settings = {
        ...{ TRIPACT_MODEL: 'anthropic:bench', ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'bench' },
        ...{ TRIPACT_MODEL_FILES: 'image', TRIPACT_LOG_LEVEL: 'silent' },
      };
      const server = await serve(join(cwd, 'data'), settings, { flags: LIVE_FLAGS, cwd });
      await whenReady(server);
      await warmUp(server);
      const live = await liveMemory(server, cwd);
      const memory = await load(server, way, atOnce);
      const after = await liveMemory(server, cwd);
      const waiting = model.hold(HELD);
      const turns = Array.from({ length: HELD }, (_, i) => send(server, way, SESSIONS + i));
      await waiting;
      const inFlight = ((await liveMemory(server, cwd)) - after) / HELD;
      model.release();
      await Promise.all(turns);
      console.log(
        JSON.stringify({ way, atOnce, calls: model.calls(), ...memory, kept: after - live, perTurnInFlight: inFlight }),
      );
      await stop(server.process);
      model.close();
    }
};

await withProcesses((processes) => files(DIR, processes));
