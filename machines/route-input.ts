import type { OnBusy } from '../contracts/http.ts';
import { isCancelPhrase, isContinuePhrase } from './phrases.ts';

/** A session's activity when an input comes. */
export interface Surroundings {
  /** `running`: a task runs; `waiting`: one waits for the user; `free`: neither. */
  activity: 'running' | 'waiting' | 'free';
  /** A task of the session is paused. Read for a continue phrase alone. */
  readonly isTaskPaused: boolean;
  readonly hasConversation: boolean;
  isModelConfigured: boolean;
  /** Names of the slash commands beside the control commands. */
  readonly commands: ReadonlySet<string>;
  onBusy: OnBusy;
}

/** Where an input goes (SPEC 2). */
export type InputRoute =
  | { kind: 'control'; control: 'cancel' | 'continue' | 'resume' | 'plan'; rest: string }
  | { kind: 'command'; name: string; rest: string }
  | { kind: 'plan_run'; rest: string }
  | { kind: 'no_model' | 'reject' | 'enqueue' | 'steer' | 'answer' | 'resume' | 'nothing_to_continue' | 'open' };

/** The forms of `/plan` that change the current task's plan; all others are about named plans, whose ids are never digits, or only show (SPEC 8). */
const PLAN_EDIT = /^(add|drop|move|(mark|delete)\s+\d+)(\s|$)/i;

/** The form of `/plan` that opens a task for a named plan. */
const PLAN_RUN = /^run(?=\s|$)/i;

const CONTROLS: readonly string[] = ['cancel', 'continue', 'resume', 'plan'];

/** An input as it is routed: trimmed, and a command with a plain slash. Other texts may begin with the one that Chinese input methods type. */
const routedInput = (input: string, commands: ReadonlySet<string>): string =>
  input.trim().replace(/^／(?=([a-z]+)(\s|$))/i, (typed, given: string) => {
    const name = given.toLowerCase();
    return CONTROLS.includes(name) || commands.has(name) ? '/' : typed;
  });

const slash = (input: string): InputRoute => {
  const name = /^\/(\S*)/.exec(input)?.[1] ?? '';
  const rest = input.slice(name.length + 1).trimStart();
  const command = name.toLowerCase();
  if (command === 'cancel' || command === 'continue' || command === 'resume')
    return { kind: 'control', control: command, rest };
  if (command === 'plan' && PLAN_EDIT.test(rest)) return { kind: 'control', control: 'plan', rest };
  if (command === 'plan' && PLAN_RUN.test(rest)) return { kind: 'plan_run', rest: rest.replace(PLAN_RUN, '') };
  return { kind: 'command', name: command, rest };
};

/** Decides where an input goes, in the order of SPEC 2. Pure: reads only its arguments. */
export const routeInput = (input: string, around: Surroundings): InputRoute => {
  const text = routedInput(input, around.commands);
  if (isCancelPhrase(text)) return { kind: 'control', control: 'cancel', rest: '' };
  if (text.startsWith('/')) return slash(text);
  if (!around.isModelConfigured) return { kind: 'no_model' };
  if (around.activity === 'running') return { kind: around.onBusy };
  if (around.activity === 'waiting') return { kind: 'answer' };
  if (!isContinuePhrase(text)) return { kind: 'open' };
  if (around.isTaskPaused) return { kind: 'resume' };
  return { kind: around.hasConversation ? 'open' : 'nothing_to_continue' };
};
