import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../contracts/turn-view.ts';
import type { ConversationUpdate } from '../../src/http/protocols/conversations.ts';
import { renderTurn, type TurnRenderer } from '../../src/http/protocols/render-turn.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { someTurn } from '../support/http/stub-engine.ts';

const usage = (input_tokens: number) => ({
  input_tokens,
  output_tokens: 0,
  cache_written_tokens: 0,
  cache_read_tokens: 0,
});
const task = (state: TaskView['state'], tokens = 5): ConversationUpdate => ({
  type: 'task',
  task: {
    state,
    plan: [{ id: '1', step: 'Buy', status: 'in_progress' }],
    current_plan_index: 0,
    usage: usage(tokens),
  } as unknown as TaskView,
});
const progress = (text: string, kind: 'action' | 'answer' = 'action'): ConversationUpdate => ({
  type: 'progress',
  kind,
  text,
});
const call: ConversationUpdate = { type: 'tool_call', call_id: 'c1', tool: 'todo', input: 'add eggs' };
const result: ConversationUpdate = { ...call, type: 'tool_result', ok: true, result: 'Added' };
const decision: ConversationUpdate = { type: 'decision', decision: { type: 'approve' } };
const finished: ConversationUpdate = { type: 'finished', turn: someTurn(true), files: [] };

/** Names what is opened and closed, in order. */
const named: TurnRenderer<string> = {
  begin: () => ['begin'],
  reasoning: {
    open: (key) => [`+reasoning ${key}`],
    delta: (text) => [text.trim()],
    close: (_, key) => [`-reasoning ${key}`],
  },
  step: { open: ({ id }) => [`+step ${id}`], close: ({ id }) => [`-step ${id}`] },
  call: {
    open: ({ call_id }) => [`+call ${call_id}`],
    close: (id, { result, isDenied }) => [`-call ${id} ${isDenied === true ? 'denied ' : ''}${result}`],
  },
  text: { open: () => ['+text'], delta: (text) => [text], close: () => ['-text'] },
  end: ({ usage: { input_tokens } }) => [`end ${input_tokens}`],
  fail: ({ detail }, _, closing) => [...closing, `fail ${detail}`],
};

const shown = async (
  updates: ConversationUpdate[],
  renderer: Partial<TurnRenderer<string>> = {},
  signal?: AbortSignal,
) => {
  async function* followed() {
    yield* updates;
    if (updates.at(-1)?.type !== 'finished') throw new ServiceError('SHUTTING_DOWN', 'stopping');
  }
  const request = { raw: { socket: {} }, log: { error: () => {} } } as unknown as FastifyRequest;
  const client = { request, signal: signal ?? new AbortController().signal };
  return Array.fromAsync(renderTurn(followed(), { ...named, ...renderer }, client));
};

describe('A turn', () => {
  it('is shown in its order, with each part closed before the next, and its own usage', async () => {
    const updates = [
      task('acting'),
      progress('a'),
      progress('b'),
      call,
      result,
      progress('c'),
      task('done', 9),
      finished,
    ];
    expect(await shown(updates)).toEqual([
      ...['begin', '+step 1', '+reasoning 0', 'a', 'b', '-reasoning 0', '+call c1', '-call c1 Added'],
      ...['+reasoning 1', 'c', '-step 1', '-reasoning 1', '+text', 'Done', '-text', 'end 4'],
    ]);
  });

  it('that ends in the middle of a call, as by a cancel, closes it with the reply', async () => {
    expect(await shown([task('acting'), call, finished])).toEqual([
      ...['begin', '+step 1', '+call c1', '-call c1 Done', '-step 1', '+text', 'Done', '-text', 'end 0'],
    ]);
  });

  it('that cannot be followed to its end closes its open parts, and says why', async () => {
    expect(await shown([task('acting'), call, progress('a')])).toEqual([
      ...['begin', '+step 1', '+call c1', '+reasoning 0', 'a'],
      ...['-reasoning 0', '-call c1 stopping', '-step 1', 'fail stopping'],
    ]);
  });

  it('says nothing more to a client that has left, and leaves the error to a renderer without an end for it', async () => {
    await expect(shown([call], {}, AbortSignal.abort())).rejects.toThrow('stopping');
    await expect(shown([call], { fail: undefined as never })).rejects.toThrow('stopping');
  });

  it('leaves out the result of a call that an earlier turn showed', async () => {
    expect(await shown([result, finished])).toEqual(['begin', '+text', 'Done', '-text', 'end 0']);
  });

  it('closes the call that an earlier turn asked about: with its result, as denied, or where nothing is asked any more', async () => {
    const asked = { asked: 'q1' };
    expect(await shown([decision, task('acting'), call, result, finished], asked)).toContain('-call q1 Added');
    expect(await shown([decision, task('replanning'), progress('No', 'answer'), finished], asked)).toContain(
      '-call q1 denied No',
    );
    const ended = { id: 'task_1', awaiting_clarification: false } as TaskView;
    const end: ConversationUpdate = { type: 'finished', turn: { ...someTurn(true), task: ended }, files: [] };
    expect(await shown([end], asked)).toContain('-call q1 denied Done');
    expect(await shown([finished], asked)).toEqual(await shown([finished]));
  });
});
