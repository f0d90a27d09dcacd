import { problemType } from '../../contracts/error-code.ts';
import { TurnRequest } from '../../contracts/http.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { ServiceError } from '../lib/errors.ts';
import { turnUpdates } from '../projections/narrator.ts';
import { questionId } from '../projections/question.ts';
import type { RouteDependencies } from './http-app.ts';
import { setRetryAfter } from './problem.ts';
import type { Conversations, ConversationUpdate } from './protocols/port.ts';
import { parsed } from './protocols/request.ts';
import type { RememberedConversations } from './remembered-conversations.ts';
import { bindTurn, callerTrace } from './request-log.ts';
import { turnItems } from './streams/turn-stream.ts';
import { unless } from './unless.ts';

/** Turns read for the newest one of a task: what a session says after it is rarely more. */
const TURNS_READ_MAX = 200;

/** Makes what the protocols of chat front ends can do with sessions. */
export const createConversations = (parts: RouteDependencies, remembered: RememberedConversations): Conversations => {
  const { engine } = parts;

  async function* updates(owner: string, turn: TurnView, signal: AbortSignal): AsyncGenerator<ConversationUpdate> {
    const finished = engine.wait(owner, turn.id, signal);
    for await (const { entry, narration } of turnItems(parts, owner, turn, finished, signal))
      yield* turnUpdates(entry, narration);
    yield { type: 'finished', turn: await finished };
  }

  const lastTurnOf: Conversations['lastTurnOf'] = async (owner, taskId) => {
    for await (const { session_id } of engine.taskTrace(owner, taskId)) {
      const { items } = await engine.turns(owner, session_id, { limit: TURNS_READ_MAX });
      return { session_id, turn: items.find(({ task_id }) => task_id === taskId) ?? null };
    }
    throw new ServiceError('TASK_NOT_FOUND', 'There is no task of that id');
  };

  const openQuestion: Conversations['openQuestion'] = async (owner, sessionId) => {
    const task = (await unless(['SESSION_NOT_FOUND'], engine.session(owner, sessionId)))?.active_task ?? null;
    const id = task === null ? null : questionId(task);
    return task === null || id === null ? null : { id, task };
  };

  return {
    openQuestion,
    lastTurnOf,
    turn: engine.turn,
    turnByKey: engine.turnByKey,
    wait: engine.wait,
    task: engine.task,
    tasks: engine.tasks,
    countTasks: engine.countTasks,
    turns: engine.turns,
    session: engine.session,
    sessions: engine.sessions,
    waiting: engine.waiting,
    cancel: engine.cancel,
    ...remembered,
    submit: async (request, reply, { turn, ...place }) => {
      const said = parsed(TurnRequest, turn);
      const submission = { ...said, ...place, input: said.input ?? '', owner: request.owner, ...callerTrace(request) };
      const submitted = await engine.submit(submission).catch((error: unknown) => {
        // Also for the protocols that say in a reply of status 200 that it was refused.
        if (error instanceof ServiceError) setRetryAfter(reply, problemType(error.code), error);
        throw error;
      });
      bindTurn(parts, request, submitted.turn);
      return submitted;
    },
    updates,
  };
};
