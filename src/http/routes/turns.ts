import type { FastifyInstance } from 'fastify';
import { FeedbackRequest } from '../../../contracts/feedback.ts';
import { TurnRequest } from '../../../contracts/http.ts';
import { TURN_BYTES_MAX } from '../../../contracts/limits.ts';
import { TurnMessage } from '../../../contracts/stream.ts';
import { TurnView } from '../../../contracts/turn-view.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import { turnMessages } from '../streams/turn-stream.ts';
import type { RouteParts } from './port.ts';
import { EVENT_STREAM, routesOf, sequenceOf } from './schemas.ts';
import { createTurnSender, TurnHeaders, type TurnParts, turnReplies } from './send-turn.ts';
import { acceptTurnForms } from './turn-form.ts';

interface Parts extends TurnParts, Pick<RouteParts, 'files'> {
  engine: TurnParts['engine'] & Pick<SessionsApi, 'rate'>;
}

/** `POST /v1/sessions/{session_id}/turns`, `GET /v1/turns/{turn_id}`, its events and its feedback (SPEC 11). */
export const addTurnRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { engine, streams } = parts;
  const { route } = routesOf(app, 'turns');

  void app.register(async (scope) => {
    const forms = await acceptTurnForms(scope, parts.files);
    const send = createTurnSender(parts, forms.drop);
    routesOf(scope, 'turns').route('POST /v1/sessions/:session_id/turns', 'sendTurn', {
      summary: 'Send an input and get its reply',
      description:
        '`input` is what the user says; `decision` in its place decides on the action that waits for approval, and gives 409 if there is none. ' +
        'Waits for the finished turn at most as long as `GET /v1/limits` says, then answers 202. With `Prefer: respond-async` it answers 202 at once. With `Accept: text/event-stream` it ' +
        "streams the turn's messages as they happen; `GET /v1/turns/{turn_id}/events` describes them. " +
        '`files` are what the user sends beside words or in place of them. As `multipart/form-data` files are parts of a form, `input` a field, and all else of ' +
        'the turn a field `turn` with JSON: for files of more than a few MB, which are then streamed to disk.',
      options: { bodyLimit: TURN_BYTES_MAX, preValidation: forms.read, onResponse: forms.drop },
      body: TurnRequest,
      schema: {
        headers: TurnHeaders,
        response: turnReplies,
      },
      handle: (request, reply) => {
        const { input = '', files, ...turn } = request.body;
        return send(request, reply, { ...turn, input, files: forms.filesOf(request) ?? files });
      },
    });
  });

  route('GET /v1/turns/:turn_id', 'getTurn', {
    summary: 'A turn, finished or not',
    description: 'While it is not finished its `status` is `queued` or `running`.',
    returns: TurnView,
    handle: ({ owner, params }) => engine.turn(owner, params.turn_id),
  });

  route('PUT /v1/turns/:turn_id/feedback', 'giveFeedback', {
    summary: 'Say what you think of a reply',
    description:
      'A thumb, and a note in words if you like, in place of what was said before. It is stored beside the turn, in no event: no model sees it. ' +
      'The turn and the traces of its task and session have it. 409 while the turn has no reply.',
    body: FeedbackRequest,
    returns: TurnView,
    handle: ({ owner, by, params, body }) => engine.rate(owner, params.turn_id, body, by),
  });

  route('DELETE /v1/turns/:turn_id/feedback', 'removeFeedback', {
    summary: 'Take back what you thought of a reply',
    description: 'Does nothing where nothing was said.',
    handle: async ({ owner, by, params }) => void (await engine.rate(owner, params.turn_id, null, by)),
  });

  route('GET /v1/turns/:turn_id/events', 'followTurn', {
    options: { exposeHeadRoute: false },
    summary: "A turn's events as they happen, and the finished turn",
    description:
      "From the turn's beginning: its `trace`, `state`, `progress`, `answer.delta` and `answer.retracted` messages, as in a session's events, and the finished " +
      'turn as the last message, `turn`; `problem` in its place if the service stops first.',
    schema: { response: { 200: sequenceOf('The messages', EVENT_STREAM, TurnMessage) } },
    handle: async (request, reply) => {
      const { owner } = request;
      const turn = await engine.turn(owner, request.params.turn_id);
      streams.take(request, reply);
      return streams.send(request, reply, (signal) => turnMessages(parts, owner, turn, signal, request));
    },
  });
};
