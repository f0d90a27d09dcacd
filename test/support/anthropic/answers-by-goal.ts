import { message } from './answers.ts';
import type { MessagesAnswer, MessagesRequest, MessagesScript } from './messages.ts';

/** The goal of the task that a request concerns. */
const goalOf = ({ body }: MessagesRequest): string =>
  /<goal>\n([\s\S]*?)\n<\/goal>/.exec(body.messages[0]?.content ?? '')?.[1] ?? '';

/**
 * Answers by the task's goal, each list in order, so that one service can work on many tasks at once. A goal beyond its
 * list gets 418.
 */
export const answersByGoal = (answers: Record<string, MessagesAnswer[]>): MessagesScript => {
  const left = new Map(Object.entries(answers).map(([goal, list]) => [goal, [...list]]));
  const next: MessagesAnswer = async (response, request) => {
    const answer = left.get(goalOf(request))?.shift();
    if (answer === undefined) response.writeHead(418).end(`no answer left for "${goalOf(request)}"`);
    else await (typeof answer === 'function' ? answer : message(answer))(response, request);
  };
  return { plan: next, thought: next, replan: next };
};
