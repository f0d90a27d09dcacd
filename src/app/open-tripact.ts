import type { IncomingMessage, ServerResponse } from 'node:http';
import manifest from 'tripact/package.json' with { type: 'json' };
import { z } from 'zod';
import { TurnRequest } from '../../contracts/http.ts';
import { LOCAL_OWNER, SessionId } from '../../contracts/ids.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { loadConfig } from '../config/config.ts';
import { ServiceError } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';
import { questionId } from '../projections/question.ts';
import { buildApp } from './app.ts';
import { checkConfigFile, withFileSettings } from './config-file.ts';
import type { EmbeddedTurn, Tripact, TripactOptions } from './embedding.ts';
import { secretsOf } from './redaction.ts';

/** Where a request was mounted, as Express and Fastify tell: the part of `originalUrl` that `url` lacks. */
type Mounted = IncomingMessage & { originalUrl?: string };

const parsed = <Value>(shape: z.ZodType<Value>, value: unknown): Value => {
  const { data, error } = shape.safeParse(value);
  if (error === undefined) return data;
  throw new ServiceError('INVALID_REQUEST', z.prettifyError(error), { cause: error });
};

/** Entries that callers may change: those of the service are shared with its sessions. */
async function* ownCopies(entries: AsyncIterable<TraceEntry>): AsyncGenerator<TraceEntry> {
  for await (const entry of entries) yield structuredClone(entry);
}

export const openTripact = async ({ config: given = {}, env = process.env }: TripactOptions): Promise<Tripact> => {
  const file = checkConfigFile(given);
  const variables = withFileSettings(env, file);
  const config = loadConfig(variables);
  const secrets = secretsOf(config, variables);
  const log = createLog({ level: config.logLevel, secrets });
  const { engine, http, close } = await buildApp({ env, config, file, log, secrets, version: manifest.version });

  const send = async (given: EmbeddedTurn, answers?: string): Promise<TurnView> => {
    const {
      session,
      owner = LOCAL_OWNER,
      roles = [],
      idempotency_key,
      signal = new AbortController().signal,
      ...fields
    } = given;
    const body = parsed(TurnRequest, fields);
    const submitted = await engine.submit({
      ...body,
      input: body.input ?? '',
      owner,
      session_id: parsed(SessionId, session),
      by: { owner, via: 'embedded' },
      decider: { owner, roles },
      ...(idempotency_key !== undefined && { idempotency_key }),
      ...(answers !== undefined && { answers }),
    });
    return engine.wait(owner, submitted.turn.id, signal);
  };
  const handler = (request: Mounted, response: ServerResponse): void => http.routing(request, response);
  return {
    turn: (turn) => send(turn),
    answer: async (answer) => {
      const { active_task } = await engine.session(answer.owner ?? LOCAL_OWNER, answer.session);
      const question = active_task === null ? null : questionId(active_task);
      if (question === null) throw new ServiceError('QUESTION_NOT_OPEN', 'No task of the session waits for an answer');
      return send(answer, question);
    },
    events: ({ session, owner = LOCAL_OWNER, after = 0, signal = new AbortController().signal }) =>
      ownCopies(engine.follow(owner, session, after, signal)),
    handler,
    routes: async (app) => {
      // The service reads bodies by its own rules.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (_request, _body, done) => done(null));
      app.all('/*', (request, reply) => {
        reply.hijack();
        const { raw }: { raw: Mounted } = request;
        const url = raw.url ?? '/';
        raw.originalUrl ??= url;
        raw.url = url.slice(app.prefix.length) || '/';
        handler(raw, reply.raw);
      });
    },
    close,
  };
};
