import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

type Handler = { POST(request: Request): Promise<Response> };

const require = createRequire(import.meta.url);

/**
 * Serves the endpoints that the local world's queue calls, from a folder that `workflow build` wrote, as in the guide
 * to integrating a framework. Returns their address.
 */
export const serveWorkflows = async (built: string): Promise<string> => {
  const handlers: Record<string, Handler> = {
    '/.well-known/workflow/v1/flow': require(join(built, 'flow.js')) as Handler,
    '/.well-known/workflow/v1/step': require(join(built, 'step.js')) as Handler,
  };
  // Longer than the queue's client keeps a connection: a message on a closed one would be lost.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { url = '', headers } = request;
      const asked = new Request(`http://localhost${url}`, {
        method: 'POST',
        headers: headers as Record<string, string>,
        body: Buffer.concat(chunks),
      });
      const answer = await handlers[url]!.POST(asked);
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
