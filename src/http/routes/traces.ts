import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { TraceEntry } from '../../../contracts/trace.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { InSession, OfTask } from '../params.ts';
import { NDJSON, problems, sequenceOf } from '../responses.ts';

async function* linesOf(entries: AsyncIterable<TraceEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}

/** Sends a trace line by line, as fast as its reader takes it; never the whole from memory. */
const sendTrace = (reply: FastifyReply, entries: AsyncIterable<TraceEntry>): FastifyReply =>
  reply
    .type(NDJSON)
    .send(reply.request.method === 'HEAD' ? '' : Readable.from(linesOf(entries), { objectMode: false }));

/** `GET …/trace` of a session and of a task (SPEC 11, 12). */
export const addTraceRoutes = (app: HttpApp, { engine }: RouteDependencies): void => {
  const response = { 200: sequenceOf('One trace entry a line', NDJSON, TraceEntry), ...problems };

  app.get(
    '/v1/sessions/:session_id/trace',
    {
      schema: {
        operationId: 'getSessionTrace',
        summary: "A session's whole trace",
        description: 'Of all its tasks, and what belongs to none, such as reminders. It replays as it is.',
        tags: ['traces'],
        params: InSession,
        response,
      },
    },
    async ({ owner, params: { session_id } }, reply) => {
      // Asked for first, so that an unknown one is a problem and not a broken stream.
      await engine.session(owner, session_id);
      return sendTrace(reply, engine.sessionTrace(owner, session_id));
    },
  );

  app.get(
    '/v1/tasks/:task_id/trace',
    {
      schema: {
        operationId: 'getTaskTrace',
        summary: "A task's own trace",
        description: 'From the entry that opened it on. It replays as it is.',
        tags: ['traces'],
        params: OfTask,
        response,
      },
    },
    async ({ owner, params: { task_id } }, reply) => {
      await engine.task(owner, task_id);
      return sendTrace(reply, engine.taskTrace(owner, task_id));
    },
  );
};
