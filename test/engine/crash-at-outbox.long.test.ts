import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CallbackState } from '../../contracts/callback.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import type { Engine } from '../../src/runtime/port.ts';
import { startWithRestarts } from '../support/engine/crash-restarts.ts';
import { makeStoreDir } from '../support/engine/empty-store.ts';
import { asks, concludes, finishes, plans, replans } from '../support/engine/model-answers.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** The model's answer to each effect, by its number in the task. */
const ANSWERS: Record<number, Record<string, unknown>> = {
  1: plans('Ask'),
  2: asks('Which day?'),
  3: replans('Book'),
  4: finishes(),
  5: concludes('Booked'),
};

const OWN = 'http://own.example/';

/** The callbacks once all of them are delivered. */
const delivered = async (engine: Engine) => {
  const reader = { owner: 'local', isOperator: true };
  const all = async () => (await engine.callbacks(reader, CallbackState.options, { limit: 100 })).items;
  await expect.poll(async () => (await all()).every(({ state }) => state === 'delivered')).toBe(true);
  return all();
};

/** Plays one task with a question, of which a receiver and the webhook are told, on a service that dies at the seam chosen. */
const play = async (at: number) => {
  const dataDir = makeStoreDir();
  const posts = new Map<string, Set<string>>();
  const postCallback = async (_: string, { headers, body }: RequestInit): Promise<Response> => {
    const id = new Headers(headers).get('webhook-id')!;
    posts.set(id, (posts.get(id) ?? new Set()).add(String(body)));
    return new Response(null, { status: 204 });
  };
  const answer = ({ effect_id }: { effect_id: string }) => ANSWERS[Number(effect_id.split('.')[1])]!;
  const model = createScriptedModel({ plan: answer, thought: answer, replan: answer });
  const restarts = startWithRestarts(
    { model, dataDir, webhookUrl: 'http://webhook.example/', postCallback },
    (n) => n === at,
  );
  const { use } = restarts;
  for (const [key, input] of Object.entries({ goal: 'Book', answer: 'Tuesday' }))
    await use((engine) => sessionOf(engine).ask(input, { idempotency_key: key, callback_url: OWN }));
  const callbacks = await use(delivered);
  const { pending_callbacks } = await use((engine) => engine.usage('local'));
  const seams = restarts.seams.length;
  await use((last) => last.close(0));
  rmSync(dataDir, { recursive: true });
  return { callbacks, posts, seams, pending_callbacks };
};

it('a process that dies at any seam leaves each event to be sent again under its id, and none under two ids', async () => {
  const undisturbed = await play(Number.POSITIVE_INFINITY);
  expect(undisturbed.callbacks.map(({ type }) => type).sort()).toEqual([
    'question.asked',
    ...Array(4).fill('turn.finished'),
  ]);
  expect(undisturbed.seams).toBeGreaterThan(20);
  for (let at = 1; at <= undisturbed.seams; at += 1) {
    const { callbacks, posts, pending_callbacks } = await play(at);
    expect(callbacks.map(({ type }) => type).sort()).toEqual(undisturbed.callbacks.map(({ type }) => type).sort());
    expect(new Set(posts.keys())).toEqual(new Set(callbacks.map(({ id }) => id)));
    expect([...posts.values()].every((bodies) => bodies.size === 1)).toBe(true);
    expect(pending_callbacks).toBe(0);
  }
});
