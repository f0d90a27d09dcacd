import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Largest call that is read, in bytes: platforms send a few KB. */
const BODY_BYTES_MAX = 1024 * 1024;

/** Answers the calls of one platform; it checks itself that they are the platform's. */
export type Webhook = (request: Request, options: { waitUntil(task: Promise<unknown>): void }) => Promise<Response>;

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const answer = async (incoming: IncomingMessage, webhooks: Readonly<Record<string, Webhook>>): Promise<Response> => {
  const [pathname = ''] = (incoming.url ?? '').split('?');
  if (pathname === '/healthz') return new Response('ok');
  const webhook = Object.hasOwn(webhooks, pathname.slice(1)) ? webhooks[pathname.slice(1)] : undefined;
  if (webhook === undefined) return new Response('There is nothing here', { status: 404 });
  if (incoming.method !== 'POST') return new Response('Only POST', { status: 405 });
  const body = await bodyOf(incoming);
  if (body === null) return new Response('Too large', { status: 413 });
  const headers = new Headers(
    Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  );
  const request = new Request(`http://localhost${pathname}`, { method: 'POST', headers, body: new Uint8Array(body) });
  // Work that goes on after the answer logs its own errors.
  return webhook(request, { waitUntil: (task) => void task.catch(() => {}) });
};

/** Listens for the calls of platforms: `/slack`, `/telegram`. Gives the server and its address. */
export const listenForWebhooks = async (
  webhooks: Readonly<Record<string, Webhook>>,
  { host, port }: { host: string; port: number },
): Promise<{ server: Server; url: string }> => {
  const server = createServer((incoming, reply) => {
    answer(incoming, webhooks)
      .catch(() => new Response('It failed', { status: 500 }))
      .then(async (response) => {
        const body = Buffer.from(await response.arrayBuffer());
        reply.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
      })
      .catch(() => reply.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const { port: actual } = server.address() as AddressInfo;
  return { server, url: `http://${host}:${actual}` };
};
