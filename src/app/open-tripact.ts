import type { IncomingMessage, ServerResponse } from 'node:http';
import manifest from 'tripact/package.json' with { type: 'json' };
import { z } from 'zod';
import type { JsonSchema } from '../../contracts/answer.ts';
import { TurnRequest } from '../../contracts/http.ts';
import { LOCAL_OWNER, SessionId } from '../../contracts/ids.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { loadConfig } from '../config/config.ts';
import { ServiceError } from '../lib/errors.ts';
import { createLog, linesTo } from '../lib/log.ts';
import { CURSOR, ITEMS_DEFAULT, ITEMS_MAX } from '../lib/page.ts';
import { questionId } from '../projections/question.ts';
import { buildApp } from './app.ts';
import { checkConfigFile, withFileSettings } from './config-file.ts';
import type { EmbeddedAnswerSchema, EmbeddedTurn, Tripact, TripactOptions, Turn } from './embedding.ts';
import { secretsOf } from './redaction.ts';
import { turnTexts } from './turn-texts.ts';

/** Where a request was mounted, as Express and Fastify tell: the part of `originalUrl` that `url` lacks. */
type Mounted = IncomingMessage & { originalUrl?: string };

const parsed = <Value>(shape: z.ZodType<Value>, value: unknown): Value => {
  const { data, error } = shape.safeParse(value);
  if (error === undefined) return data;
  throw new ServiceError('INVALID_REQUEST', z.prettifyError(error), { cause: error });
};

/** Which turns of a session are read: as many as over HTTP. */
const TurnsPage = z.strictObject({
  limit: z.number().int().min(1).max(ITEMS_MAX).default(ITEMS_DEFAULT),
  cursor: z.string().regex(CURSOR, 'must be the `next` of another page').optional(),
});

const isZod = (schema: EmbeddedAnswerSchema): schema is z.ZodType => '_zod' in schema;

/** A schema of an answer as JSON Schema. Throws `INVALID_REQUEST` for a zod schema that JSON Schema cannot express. */
const jsonSchemaOf = (schema: EmbeddedAnswerSchema): JsonSchema => {
  if (!isZod(schema)) return schema;
  try {
    return z.toJSONSchema(schema, { io: 'input' });
  } catch (error) {
    throw new ServiceError('INVALID_REQUEST', `answer_schema: ${(error as Error).message}`, { cause: error });
  }
};

/** Entries that callers may change: those of the service are shared with its sessions. */
async function* ownCopies(entries: AsyncIterable<TraceEntry>): AsyncGenerator<TraceEntry> {
  for await (const entry of entries) yield structuredClone(entry);
}

export const openTripact = async (options: TripactOptions): Promise<Tripact> => {
  const { config: given = {}, env = process.env, logger } = options;
  const file = checkConfigFile(given);
  const variables = withFileSettings(env, file);
  const config = loadConfig(variables);
  const secrets = secretsOf(config, variables);
  const log = createLog({ level: config.logLevel, secrets, ...(logger && linesTo(logger)) });
  const app = await buildApp({ env, config, file, log, secrets, version: manifest.version });
  const { engine, http, close } = app;

  const submit = async (given: EmbeddedTurn, answers?: string): Promise<TurnView> => {
    const { session, owner = LOCAL_OWNER, roles = [], idempotency_key, signal: _, answer_schema, ...fields } = given;
    const body = parsed(TurnRequest, {
      ...fields,
      ...(answer_schema && { answer_schema: jsonSchemaOf(answer_schema) }),
    });
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
    return submitted.turn;
  };
  /** The turn once it is finished. Its status has the fields that `Turn` promises, and its answer meets the schema. */
  const finished = async <Answer>({ owner, signal }: EmbeddedTurn, { id }: TurnView): Promise<Turn<Answer>> =>
    (await engine.wait(owner ?? LOCAL_OWNER, id, signal ?? new AbortController().signal)) as Turn<Answer>;
  const handler = (request: Mounted, response: ServerResponse): void => http.routing(request, response);
  return {
    turn: async (turn) => finished(turn, await submit(turn)),
    answer: async (answer) => {
      const { active_task } = await engine.session(answer.owner ?? LOCAL_OWNER, answer.session);
      const question = active_task === null ? null : questionId(active_task);
      if (question === null) throw new ServiceError('QUESTION_NOT_OPEN', 'No task of the session waits for an answer');
      return finished(answer, await submit(answer, question));
    },
    stream: (given) => {
      const { session, owner = LOCAL_OWNER, signal = new AbortController().signal } = given;
      // From before the turn is sent, so that the model of its first answer is asked to stream.
      const unwatch = engine.watch(owner, session);
      const submitted = submit(given);
      const turn = submitted.then((sent) => finished<never>(given, sent)).finally(unwatch);
      // Whoever reads only the text meets its fault there.
      turn.catch(() => {});
      return {
        turn,
        [Symbol.asyncIterator]: async function* () {
          yield* turnTexts(app, owner, await submitted, signal);
        },
      };
    },
    turns: async ({ session, owner = LOCAL_OWNER, ...page }) => {
      const { limit, cursor: after } = parsed(TurnsPage, page);
      const { items, next } = await engine.turns(owner, session, { limit, after });
      return { turns: items, next };
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
