import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Cost, createCounter, type Heads } from './count.ts';
import type { Script, Turn } from './script.ts';
import { anthropic, bodyOf, type Prompt, responses } from './wire.ts';

/** The scripted model behind both APIs, for one dialogue of one agent. */
export interface ModelServer {
  url: string;
  /** Sets the turn that is answered from now on. */
  begin(turn: Turn): void;
  /** The cost of each call so far. */
  costs: Cost[];
  /** Each prompt so far, as parsed. */
  prompts: Prompt[];
  close(): Promise<void>;
}

export const startModelServer = async (script: Script, heads: Heads): Promise<ModelServer> => {
  const counter = createCounter(heads);
  const prompts: Prompt[] = [];
  let current: Turn | null = null;
  let isFirst = true;
  const server = createServer((request, response) => {
    void (async () => {
      try {
        const wire = [anthropic, responses].find(({ path }) => request.url?.endsWith(path) === true);
        if (wire === undefined || current === null) throw new Error(`nothing answers ${request.url}`);
        const body = await bodyOf(request);
        const prompt = wire.read(body as never);
        const message = script(current, prompt);
        prompts.push(prompt);
        counter.add(prompt, message, isFirst);
        isFirst = false;
        wire.write(response, message, body.stream === true);
      } catch (error) {
        const said = { type: 'error', error: { type: 'invalid_request_error', message: String(error) } };
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(said));
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin(turn) {
      current = turn;
      isFirst = true;
    },
    costs: counter.costs,
    prompts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
