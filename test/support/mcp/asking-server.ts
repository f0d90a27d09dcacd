import { type CallToolResult, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });

/** The answer to an elicitation, as its server gets it. */
interface Elicited {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
}

/** The acts of the server's tools, in order. */
export interface Desk {
  booked: string[];
}

/**
 * A server that asks before it books: for the day and the seats by a form, and then for a deposit by a page. `book` may run
 * once only; `find` is read-only and asks one thing.
 */
export const createAskingServer = (desk: Desk): McpServer => {
  const server = new McpServer({ name: 'desk', version: '1.0.0' });
  server.registerTool(
    'book',
    { description: 'Books a table.', inputSchema: z.object({ table: z.string() }) },
    ({ table }, { mcpReq }) => {
      const { when, deposit } = (mcpReq.inputResponses ?? {}) as Record<string, Elicited | undefined>;
      const state = mcpReq.requestState<string>();
      if (deposit !== undefined) {
        desk.booked.push(`${table} ${state} ${deposit.action}`);
        return text(`Booked ${table}: ${state}, deposit ${deposit.action}`);
      }
      if (when === undefined)
        return inputRequired({
          inputRequests: {
            when: inputRequired.elicit({
              message: `When do you want ${table}?`,
              requestedSchema: z.object({
                day: z.enum(['Monday', 'Friday']),
                seats: z.int().min(1).max(8),
              }),
            }),
          },
        });
      if (when.action !== 'accept') return { ...text('Nothing booked'), isError: true };
      const url = 'https://pay.example/deposit?for=table';
      return inputRequired({
        inputRequests: { deposit: inputRequired.elicitUrl({ message: 'Please pay the deposit', url }) },
        requestState: `${when.content?.['day']} for ${when.content?.['seats']}`,
      });
    },
  );
  server.registerTool(
    'find',
    { description: 'Finds a table.', inputSchema: z.object({}), annotations: { readOnlyHint: true } },
    (_, { mcpReq }) => {
      const { where } = (mcpReq.inputResponses ?? {}) as Record<string, Elicited | undefined>;
      if (where !== undefined) return text(`${where.action} ${where.content?.['city'] ?? ''}`);
      const requestedSchema = z.object({ city: z.string().min(2) });
      return inputRequired({
        inputRequests: { where: inputRequired.elicit({ message: 'In which city?', requestedSchema }) },
      });
    },
  );
  return server;
};
