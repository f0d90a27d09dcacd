import type { z } from 'zod';
import type { Item, Plan, Replan, Thought } from './contracts.ts';

/** The shape of a task: a plan, then for each item rounds of thought and tool, a last thought, and a replan. */
export interface Shape {
  items: number;
  /** Thoughts with a tool in each item, before its last thought. */
  actions: number;
  /** Whether the third item asks the user once. */
  asks: boolean;
}

/** 1 plan, 15 thoughts, 10 tools, 5 replans: the 31 effects that most measures run. */
export const CANONICAL: Shape = { items: 5, actions: 2, asks: false };

/** The same, with one question to the user. */
export const ASKING: Shape = { items: 5, actions: 2, asks: true };

/** One item with as many thoughts and tools as give about `effects` effects. */
export const longShape = (effects: number): Shape => ({
  items: 1,
  actions: Math.ceil((effects - 3) / 2),
  asks: false,
});

/** The number of model calls and tool calls of a task with this shape. */
export const effectsOf = ({ items, actions, asks }: Shape): number => 1 + items * (2 * actions + 2) + (asks ? 1 : 0);

export type PlanItem = z.infer<typeof Item>;

/** The outcome of one effect, or of waiting for the user. */
export type Outcome =
  | { kind: 'plan'; value: z.infer<typeof Plan> }
  | { kind: 'thought'; value: z.infer<typeof Thought> }
  | { kind: 'tool'; value: string }
  | { kind: 'ask'; value: string }
  | { kind: 'replan'; value: z.infer<typeof Replan> };

/** A finished task of the same conversation. */
export interface PastTask {
  goal: string;
  answer: string;
}

export interface TranscriptEntry {
  role: 'thought' | 'tool' | 'user';
  text: string;
}

/** Everything that the next prompt would need: the state that a user would store with any of these engines. */
export interface State {
  goal: string;
  shape: Shape;
  history: PastTask[];
  next: 'plan' | 'thought' | 'tool' | 'ask' | 'replan' | 'end';
  plan: PlanItem[];
  item: number;
  /** Finished thoughts with a tool in this item. */
  round: number;
  asked: boolean;
  tool: { name: string; args: Record<string, string> } | null;
  question: string | null;
  answer: string | null;
  transcript: TranscriptEntry[];
  results: string[];
  effects: number;
}

/** The initial state of a task. */
export const initial = (goal: string, shape: Shape, history: PastTask[] = []): State => ({
  goal,
  shape,
  history,
  next: 'plan',
  plan: [],
  item: 0,
  round: 0,
  asked: false,
  tool: null,
  question: null,
  answer: null,
  transcript: [],
  results: [],
  effects: 0,
});

/** The fields that an outcome changes; `append` is added to the transcript. */
export type Delta = Partial<Omit<State, 'transcript'>> & { append?: TranscriptEntry[] };

/** The changes by an outcome. Does not modify the state. */
export const delta = (state: State, outcome: Outcome): Delta => {
  const effects = state.effects + 1;
  switch (outcome.kind) {
    case 'plan':
      return { plan: outcome.value.items, next: 'thought', effects };
    case 'thought': {
      const thought = outcome.value;
      const append: TranscriptEntry[] = [{ role: 'thought', text: thought.thought }];
      if (thought.decision === 'continue') return { append, tool: thought.tool, next: 'tool', effects };
      if (thought.decision === 'ask') return { append, question: thought.question, asked: true, next: 'ask', effects };
      return { append, results: [...state.results, thought.result], next: 'replan', effects };
    }
    case 'tool': {
      const append: TranscriptEntry[] = [{ role: 'tool', text: outcome.value }];
      return { append, tool: null, round: state.round + 1, next: 'thought', effects };
    }
    case 'ask':
      return { append: [{ role: 'user', text: outcome.value }], question: null, next: 'thought' };
    case 'replan': {
      const replan = outcome.value;
      if (replan.decision === 'done') {
        const { answer } = replan;
        return { answer, history: [...state.history, { goal: state.goal, answer }], next: 'end', effects };
      }
      const plan = [...state.plan.slice(0, state.item + 1), ...replan.items];
      return { plan, item: state.item + 1, round: 0, next: 'thought', effects };
    }
    default:
      return outcome satisfies never;
  }
};

/** The state after an outcome. */
export const apply = (state: State, outcome: Outcome): State => {
  const { append = [], ...rest } = delta(state, outcome);
  return { ...state, ...rest, transcript: append.length === 0 ? state.transcript : [...state.transcript, ...append] };
};

/** A finished task as a peer reports it, for `check`. */
export type Ended = Pick<State, 'shape' | 'effects' | 'answer' | 'next'>;

/** Throws unless the task ended with an answer after the right number of effects. */
export const check = ({ shape, effects, answer, next }: Ended): void => {
  if (next !== 'end' || answer === null || effects !== effectsOf(shape))
    throw new Error(`task ended wrongly: ${next}, ${effects} of ${effectsOf(shape)} effects`);
};

/** Repeats a text until it has `length` characters. */
export const fill = (text: string, length: number): string =>
  `${text} `.repeat(Math.ceil(length / (text.length + 1))).slice(0, length);

export const goalOf = (task: number): string =>
  `Task ${task}: ${fill('check that every part of the release is ready to publish.', 120)}`;
