import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '../../contracts/event.ts';
import { replay } from '../../src/engine/replay/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { quickTool } from '../support/engine/controlled-tools.ts';
import { startWithRestarts } from '../support/engine/crash-restarts.ts';
import { makeStoreDir } from '../support/engine/empty-store.ts';
import { acts, concludes, finishes, plans, replans } from '../support/engine/model-answers.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** The model's answer to each effect, by its number in the task; a tool's effects are left out. */
const ANSWERS: Record<number, Record<string, unknown>> = {
  1: plans('Dig', 'Fill'),
  2: acts('tally', 'one'),
  4: acts('dig', 'deep'),
  5: replans('Dig', 'Fill'),
  6: acts('dig', 'shallow'),
  8: acts('dig', 'again'),
  10: finishes(),
  11: concludes('Dug'),
};

/** The decisions in their order, each sent again under its key where a crash left it without a reply. */
const DECISIONS: ApprovalDecision[] = [
  { type: 'approve' },
  { type: 'reject', reason: 'Not so deep' },
  { type: 'approve_always' },
];

/** Plays one task with approvals on a service that dies at the seams chosen. */
const play = async (effect: 'idempotent' | 'at_most_once', crashAt: (nth: number) => boolean) => {
  const dataDir = makeStoreDir();
  const runs: string[] = [];
  const model = createScriptedModel(
    Object.fromEntries(
      ['plan', 'thought', 'replan'].map((contract) => [
        contract,
        ({ effect_id }: { effect_id: string }) => ANSWERS[Number(effect_id.split('.')[1])]!,
      ]),
    ),
  );
  const dig = quickTool(
    'dig',
    (input, { effect_id }) => {
      runs.push(`${effect_id.split('.')[1]} ${input}`);
      return { ok: true, result: `dug ${input}` };
    },
    { effect, approval: true },
  );
  const restarts = startWithRestarts({ model, tools: [dig], approve: ['tally'], dataDir }, crashAt);
  const { use } = restarts;
  const replies = [await use((engine) => sessionOf(engine).ask('Dig', { idempotency_key: 'goal' }))];
  for (const [i, decision] of DECISIONS.entries())
    replies.push(await use((engine) => sessionOf(engine).decide(decision, { idempotency_key: `decision ${i}` })));
  const { engine, tallied } = await restarts.current();
  const session = sessionOf(engine);
  const outcome = {
    prose: await session.prose(),
    // An approval's id has its task's, which differs from run to run.
    replies: replies.map(({ status, output, approval }) => {
      const { tool, input } = approval ?? {};
      return { status, output, tool, input };
    }),
    tallied: await tallied(),
    replayed: await replay(await session.trace(), { gapless: true }),
  };
  const seams = [...restarts.seams];
  await use((last) => last.close(0));
  rmSync(dataDir, { recursive: true });
  return { outcome, seams, runs };
};

describe('A process that dies before, while or after a person decides', async () => {
  const undisturbed = await play('idempotent', () => false);

  it('has seams around each decision', () => {
    const { outcome, seams, runs } = undisturbed;
    expect(outcome.replies).toMatchObject([
      { status: 'asking', tool: 'tally', input: 'one' },
      { status: 'asking', tool: 'dig', input: 'deep' },
      { status: 'asking', tool: 'dig', input: 'shallow' },
      { status: 'answered', output: 'Dug', tool: undefined },
    ]);
    expect(outcome.tallied).toEqual(['one']);
    expect(outcome.replayed).toMatchObject({ ok: true });
    expect(runs).toEqual(['7 shallow', '9 again']);
    expect(seams.length).toBeGreaterThan(20);
  });

  it.each(undisturbed.seams.map((seam, i) => [i + 1, seam] as const))(
    'at seam %i, %s, leaves the same history, and runs nothing that was not approved',
    async (at) => {
      const { outcome, runs } = await play('idempotent', (nth) => nth === at);
      expect(outcome).toEqual(undisturbed.outcome);
      expect([...new Set(runs)]).toEqual(undisturbed.runs);
    },
  );

  it.each(undisturbed.seams.map((seam, i) => [i + 1, seam] as const))(
    'at seam %i, %s, runs a tool that may run once for its yes at most once',
    async (at) => {
      const { outcome, runs } = await play('at_most_once', (nth) => nth === at);
      expect(outcome.replies.at(-1)).toMatchObject({ status: 'answered', output: 'Dug' });
      expect(runs).toHaveLength(new Set(runs).size);
      expect(undisturbed.runs).toEqual(expect.arrayContaining(runs));
      expect(outcome.tallied).toEqual(['one']);
    },
  );
});
