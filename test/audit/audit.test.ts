import { hash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { AuditAct, AuditLine } from '../../contracts/audit.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import { isRoot } from '../../src/audit/line.ts';
import { type TraceChains, verify } from '../../src/audit/verify.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { quickTool } from '../support/engine/controlled-tools.ts';
import { acts, concludes, finishes, plans, straight } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1, 12);

const sha256 = (text: string): string => hash('sha256', text);

/** An engine on the first of January in which two owners had something done; the test can take it to another day. */
const onNewYear = async () => {
  let now = START;
  const dig = quickTool('dig', (input) => ({ ok: true, result: `dug ${input}` }), { approval: true });
  const model = createScriptedModel([
    ...[plans('Dig'), acts('dig', 'deep'), finishes(), concludes('Dug')],
    ...[plans('Dig'), acts('dig', 'wide')],
    ...straight('Hello'),
    ...straight('Hello again'),
  ]);
  const { engine, store } = await openEngine({ model, tools: [dig], now: () => now });
  const ada = sessionOf(engine, 's1', 'ada');
  await ada.ask('Dig a hole');
  await ada.decide({ type: 'approve', reason: 'as agreed' });
  await ada.ask('Dig another');
  await ada.decide({ type: 'reject' });
  const bob = sessionOf(engine, 's1', 'bob');
  await bob.ask('Hello?');
  const audit = (query = {}): Promise<AuditLine[]> => Array.fromAsync(store.audit.lines({ now, ...query }));
  const pass = (days: number): void => {
    now += days * DAY_MS;
  };
  return { engine, store, ada, bob, audit, pass };
};

const isAct = (line: AuditLine): line is AuditAct => 'hash' in line;

const rootsOf = (lines: readonly AuditLine[]): string[] => lines.filter(isRoot).map(({ root }) => root);

const tracesOf = (entries: readonly TraceEntry[]): TraceChains =>
  new Map(
    [...Map.groupBy(entries, ({ task_id }) => task_id ?? '')].map(([task, of]) => [
      task,
      new Map(of.map(({ seq, chain }) => [seq, chain])),
    ]),
  );

describe('An audit', () => {
  it('says who asked, what was planned, called, decided and answered, and no word of it', async () => {
    const { audit } = await onNewYear();
    const lines = await audit();
    const ofAda = lines.filter(isAct).filter(({ owner }) => owner === 'ada');
    expect(ofAda.map(({ act }) => act)).toEqual(
      ['asked', 'planned', 'approved', 'called', 'answered', 'asked', 'planned', 'refused'].concat(
        ofAda.slice(8).map(({ act }) => act as string),
      ),
    );
    expect(ofAda[0]).toMatchObject({ session_id: 's1', seq: 1, machine: 'tripact-task@4', text: sha256('Dig a hole') });
    expect(ofAda[2]).toMatchObject({
      decision: 'approve',
      tool: 'dig',
      input: sha256('deep'),
      reason: sha256('as agreed'),
    });
    expect(ofAda[3]).toMatchObject({ tool: 'dig', ok: true, input: sha256('deep'), result: sha256('dug deep') });
    expect(ofAda[4]).toMatchObject({ outcome: 'completed', text: sha256('Dug') });
    expect(JSON.stringify(lines)).not.toMatch(/Dig a|dug deep|as agreed|Hello/);
  });

  it('verifies, a day alone too, and with the traces that it is of', async () => {
    const { audit, ada, bob, pass } = await onNewYear();
    pass(2);
    await bob.ask('Hello again?');
    const lines = await audit();
    expect(lines.filter((line) => 'chain' in line && 'day' in line)).toMatchObject([
      { day: '2026-01-01' },
      { day: '2026-01-02' },
      { day: '2026-01-03' },
    ]);
    expect(lines.at(-1)).toMatchObject({ day: '2026-01-03', open: true });
    const [first, second] = rootsOf(lines);
    expect(await verify(lines, { roots: [first!] })).toMatchObject({ ok: true, days: 3 });
    expect(await audit({ from: '2026-01-02', to: '2026-01-02' })).toEqual([
      { day: '2026-01-02', chain: second },
      { day: '2026-01-02', acts: 0, root: second },
    ]);
    const trace = await ada.trace();
    expect(await verify(lines, { traces: tracesOf(trace) })).toMatchObject({ ok: true, compared: expect.any(Number) });
    expect(await verify(lines, { roots: ['0'.repeat(64)] })).toMatchObject({ ok: false, line: lines.length });
  });

  it('shows of other owners the hashes alone, and has the same root', async () => {
    const { audit } = await onNewYear();
    const [all, ofBob] = [await audit(), await audit({ owner: 'bob' })];
    expect(rootsOf(ofBob)).toEqual(rootsOf(all));
    expect(await verify(ofBob)).toMatchObject({ ok: true });
    expect(JSON.stringify(ofBob)).not.toContain('"ada"');
    expect(JSON.stringify(ofBob)).toContain('"bob"');
  });

  it('keeps its roots when a session or an owner is removed: their hashes are left, and that they were removed', async () => {
    const { audit, engine, pass } = await onNewYear();
    pass(1);
    const before = await audit({ to: '2026-01-01' });
    await engine.remove('ada', 's1');
    await engine.removeOwner('bob');
    const after = await audit({ to: '2026-01-01' });
    expect(rootsOf(after)).toEqual(rootsOf(before));
    expect(await verify(after, { roots: rootsOf(before) })).toMatchObject({ ok: true });
    expect(after.filter((line) => isAct(line) && 'act' in line)).toEqual([]);
    const today = (await audit({ from: '2026-01-02' })).filter(isAct);
    expect(today).toMatchObject([{ act: 'removed' }, { act: 'removed' }]);
    expect(JSON.stringify([after, today])).not.toMatch(/"(ada|bob|s1)"/);
  });

  it('keeps hashes of the acts, too, that come while those before them are read for a removal', async () => {
    const { audit, engine, store, bob } = await onNewYear();
    const read = store.audit.hashesOf;
    let before: AuditLine[] = [];
    vi.spyOn(store.audit, 'hashesOf').mockImplementationOnce(async (session) => {
      const hashes = await read(session);
      await bob.ask('Hello again?');
      before = await audit({ owner: 'bob' });
      return hashes;
    });
    await engine.remove('bob', 's1');
    const hashesIn = (lines: AuditLine[]) => lines.filter(isAct).map(({ hash }) => hash);
    expect(hashesIn(before).length).toBeGreaterThan(0);
    expect(hashesIn(await audit())).toEqual(expect.arrayContaining(hashesIn(before)));
  });

  it('goes on in the list of a session that was removed and began anew', async () => {
    const { audit, engine, bob, pass } = await onNewYear();
    await engine.remove('bob', 's1');
    await bob.ask('Hello again?');
    const before = await audit();
    await engine.remove('bob', 's1');
    const after = await audit();
    expect(after.filter(isAct).map(({ hash }) => hash)).toEqual(
      expect.arrayContaining(before.filter(isAct).map(({ hash }) => hash)),
    );
    pass(1);
    expect(await verify(await audit())).toMatchObject({ ok: true });
  });

  it('names the first line that was changed, left out, put in or swapped', async () => {
    const { audit, pass } = await onNewYear();
    pass(2);
    const lines = await audit();
    const place = lines.findIndex((line) => isAct(line) && line.act === 'called');
    const line = lines[place] as AuditAct;
    const changed = { ...line, ok: false };
    const { hash: _, chain: __, ...act } = changed;
    const fitting = { ...changed, hash: sha256(JSON.stringify(act)) };
    const tampered: [string, AuditLine[], number][] = [
      ['changed', lines.with(place, changed), place + 1],
      ['changed with its hash', lines.with(place, fitting), place + 1],
      ['left out', lines.toSpliced(place, 1), place + 1],
      ['repeated', lines.toSpliced(place, 0, line), place + 2],
      ['swapped', lines.with(place, lines[place + 1]!).with(place + 1, line), place + 1],
      ['cut', lines.slice(0, place), place],
      ['without a day', lines.filter((each) => !('day' in each) || each.day !== '2026-01-02'), lines.length - 3],
    ];
    for (const [what, each, expected] of tampered)
      expect([what, await verify(each)]).toMatchObject([what, { ok: false, line: expected }]);
  });

  it('names the act whose entry is another one in its trace, or missing there', async () => {
    const { audit, ada } = await onNewYear();
    const lines = await audit();
    const trace = await ada.trace();
    const other = trace.map((entry) => (entry.seq === 1 ? { ...entry, chain: '0'.repeat(64) } : entry));
    const seqAt = (line: number): unknown => (lines[line - 1] as AuditAct)['seq'];
    const changed = await verify(lines, { traces: tracesOf(other) });
    expect(changed).toMatchObject({ ok: false });
    expect(changed.ok || seqAt(changed.line)).toBe(1);
    const cut = await verify(lines, { traces: tracesOf(trace.slice(0, -1)) });
    expect(cut).toMatchObject({ ok: false, message: expect.stringContaining('missing') });
  });
});
