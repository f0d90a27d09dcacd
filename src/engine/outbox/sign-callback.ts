import { createHmac } from 'node:crypto';

/** Makes what signs posts in the form of Standard Webhooks; without a key they bear the id and the time alone. */
export const createCallbackSigner =
  (key: Buffer | null) =>
  (id: string, at: number, body: string): Record<string, string> => {
    const timestamp = String(Math.floor(at / 1_000));
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
    if (key === null) return headers;
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return { ...headers, 'webhook-signature': `v1,${signature}` };
  };
