import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { startService } from '../service/service.ts';

/** The key of an operator. */
export const OPS = 'key-of-ops-0123456789';

/** Starts a service that requires keys, and makes a front end's key there, with the given quota. */
export const startWithFrontEnd = async (
  script: Parameters<typeof startService>[0],
  quota: Record<string, number> = {},
  env: Record<string, string> = {},
  parts: Parameters<typeof startService>[2] = {},
) => {
  const keys = { TRIPACT_API_KEYS: `ops:${OPS}`, TRIPACT_OPERATORS: 'ops' };
  const service = await startService(script, { ...keys, ...env }, parts);
  /** Sends a request as an operator. */
  const asOperator = (path: string, method = 'GET', body?: unknown): Promise<Response> =>
    fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${OPS}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const made = await asOperator('/v1/keys', 'POST', { owner: 'web', role: 'front_end', ...quota });
  const { key } = (await made.json()) as { key: string };
  return { service, key, asOperator };
};

/**
 * Starts a front end's server, which forwards its users' requests to the service with its own key; returns its address.
 */
export const openFrontEnd = async (url: () => string, key: string, user: string): Promise<string> => {
  const server = createServer((asked, reply) => {
    const headers = { ...asked.headers, authorization: `Bearer ${key}`, 'x-tripact-user': user };
    const sent = send(new URL(asked.url ?? '/', url()), { method: asked.method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(reply);
    });
    sent.on('error', () => reply.destroy());
    reply.on('close', () => sent.destroy());
    asked.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
