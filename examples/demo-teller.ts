import { styleText } from 'node:util';
import type { TaskView, TurnView } from '../contracts/turn-view.ts';
import { type Client, createClient } from '../src/cli/client.ts';
import { hostTimezone } from '../src/cli/terminal.ts';

/** Longest time for one turn, in milliseconds: the offline model needs a fraction of it. */
const TURN_MS_MAX = 10_000;

const indented = (text: string): string => text.replaceAll('\n', '\n           ');

const indentedLine = (who: string, text: string): void =>
  console.log(`  ${styleText('cyan', who.padEnd(8))} ${indented(text)}`);

/** Starts a scene of the story. */
export const scene = (title: string): void => console.log(`\n${styleText('bold', title)}`);

/** Says what happened behind the scene. */
export const aside = (text: string): void => console.log(`  ${styleText('italic', text)}`);

/** Says what must be true now, and ends the demo where it is not. */
export const expect = (claim: string, isTrue: boolean, seen: unknown): void => {
  if (!isTrue) throw new Error(`expected: ${claim}\nbut saw: ${JSON.stringify(seen, null, 2)}`);
  console.log(`  ${styleText('green', '✓')} ${claim}`);
};

/** A service and a session to talk in. */
export interface Talk {
  client: Client;
  say(input: string): Promise<TurnView>;
}

const progressLine = ({ step_count, step_limit, successful_steps, failed_steps }: TaskView): string =>
  `${step_count} of ${step_limit} steps used, tools: ${successful_steps} ok, ${failed_steps} failed`;

/** Talks to a service in one session, and shows every line of it. */
export const talkTo = (url: string, sessionId: string): Talk => {
  const restore = (lost: Error): Promise<never> => Promise.reject(lost);
  const client = createClient({ base: () => url, key: () => null, restore }, null);
  return {
    client,
    say: async (input) => {
      indentedLine('you', input);
      const progress = (text: string): void => console.log(`           ${styleText('dim', `· ${text}`)}`);
      const request = { input, timezone: hostTimezone() };
      const turn = await client.turn(sessionId, request, { progress }, AbortSignal.timeout(TURN_MS_MAX));
      indentedLine('tripact', turn.output ?? '');
      if (turn.task !== null) console.log(`           ${styleText('yellow', progressLine(turn.task))}`);
      return turn;
    },
  };
};
