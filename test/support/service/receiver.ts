import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { sendJson, serve } from '../http/local-server.ts';

/** A callback as its receiver sees it. */
export interface ReceivedPost {
  id: string;
  headers: Record<string, string>;
  text: string;
  body: { type: string; timestamp: string; owner: string; data: Record<string, unknown> };
}

/** Lets the service post to a receiver on this machine. */
export const LOCAL_RECEIVER = { TRIPACT_CALLBACK_HOSTS: '127.0.0.1' };

/** A server to which callbacks are posted. Answers each post by the next of `answers`, then with 204. */
export const startReceiver = async (answers: ((response: ServerResponse) => void)[] = []) => {
  const received = new EventTarget();
  const { origin, seen } = await serve((_, response) => {
    const reply = answers.shift() ?? ((accepting: ServerResponse) => void accepting.writeHead(204).end());
    response.once('close', () => received.dispatchEvent(new Event('post')));
    reply(response);
  });
  const posts = async (count: number): Promise<ReceivedPost[]> => {
    while (seen.length < count) await once(received, 'post');
    return seen.map(({ headers, body }) => ({
      id: String(headers['webhook-id']),
      headers: headers as Record<string, string>,
      text: body,
      body: JSON.parse(body) as ReceivedPost['body'],
    }));
  };
  return {
    url: `${origin}/hook`,
    /** Resolves with all posts when that many have arrived in total and been answered. */
    posts,
    /** Answers the next post with this status. */
    refuseNext: (status: number) => void answers.push((response) => sendJson(response, {}, status)),
    seen,
  };
};
