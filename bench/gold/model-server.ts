import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic, bodyOf } from '../cost/wire.ts';
import type { Setting } from './play.ts';

/** The scripted model behind Anthropic's API, for agents that reach their model over HTTP. */
export interface ModelServer {
  /** Its address, without `/v1`. */
  url: string;
  close(): void;
}

/** Serves a dialogue's model in the agent's own process. Calls tools by their names in the prompt. */
export const startModelServer = async (next: Setting['next']): Promise<ModelServer> => {
  const server = createServer((request, response) => {
    void (async () => {
      try {
        const body = await bodyOf(request);
        const { said, results, tools } = anthropic.read(body as never);
        const call = await next(said, results);
        const name = tools.find((each) => each === call?.tool || each.endsWith(`__${call?.tool}`));
        if (call !== null && name === undefined) throw new Error(`no tool ${call.tool} in the prompt`);
        const calls = call === null ? [] : [{ name: name!, input: call.args }];
        anthropic.write(response, { calls, text: call === null ? 'Done.' : '' }, body.stream === true);
      } catch (error) {
        const said = { type: 'error', error: { type: 'invalid_request_error', message: String(error) } };
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(said));
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
};
