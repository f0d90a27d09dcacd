import type { CallbackType } from '../../../contracts/callback.ts';

/** What each event is, and the schema of its body. */
const EVENTS: Record<CallbackType, { schema: string; summary: string }> = {
  'turn.finished': { schema: 'TurnFinished', summary: 'A turn is finished' },
  'question.asked': {
    schema: 'QuestionAsked',
    summary: 'A task waits for an answer: send it as a turn of its session',
  },
  'approval.requested': {
    schema: 'ApprovalRequested',
    summary: 'An action waits for a yes, by words or by a `decision`',
  },
  'task.paused': {
    schema: 'TaskPaused',
    summary: 'A task is paused; "continue" as a turn of its session lets it go on',
  },
  'reminder.due': { schema: 'ReminderDue', summary: 'A reminder has come due' },
};

const header = (name: string, required: boolean, description: string) => ({
  ...{ name, in: 'header', required, description },
  schema: { type: 'string' },
});

const HEADERS = [
  header('webhook-id', true, 'Names the event: the same at every post of it, so that repeats can be dropped.'),
  header('webhook-timestamp', true, 'When it was posted, in seconds since 1970.'),
  header('webhook-signature', false, 'By Standard Webhooks; there where the service has a secret.'),
];

const RESPONSES = {
  '2XX': { description: 'It is accepted, and not posted again' },
  '410': { description: 'It is not wanted, and not posted again' },
  default: { description: 'It is posted again later' },
};

const DESCRIPTION =
  'Posted by the service in the form of Standard Webhooks, at least once: again and again until it is accepted, or given up (`GET /v1/callbacks`).';

const post = (operationId: string, { schema, summary }: { schema: string; summary: string }) => ({
  post: {
    operationId,
    summary,
    description: DESCRIPTION,
    tags: ['callbacks'],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    },
    responses: RESPONSES,
  },
});

interface Operations {
  paths?: Record<string, Record<string, object>>;
}

const SEND_TURN = '/v1/sessions/{session_id}/turns';

/** The description with what the service posts: to its webhook, and to the `callback_url` of a turn (OpenAPI 3.1). */
export const withWebhooks = <Described extends object>(description: Described): Described => {
  const { paths = {} }: Operations = description;
  const webhooks = Object.fromEntries(
    Object.entries(EVENTS).map(([type, event]) => [type, post(`on${event.schema}`, event)]),
  );
  const own = post('onOwnTurnFinished', { schema: 'Turn', summary: 'The turn is finished' });
  const callbacks = { finished: { '{$request.body#/callback_url}': own } };
  const turns = paths[SEND_TURN];
  const sendTurn = { ...turns, post: { ...turns?.post, callbacks } };
  return { ...description, paths: { ...paths, ...(turns !== undefined && { [SEND_TURN]: sendTurn }) }, webhooks };
};
