import { describe, expect, it } from 'vitest';
import { replay } from '../../src/history/replay.ts';
import { chained } from '../support/golden/chained.ts';
import { goldenLines, goldenNames } from '../support/golden/files.ts';
import type { Line } from '../support/golden/tampering.ts';

type Json = Record<string, unknown>;

const eventOf = (line: Line): Json => line['event'] as Json;

/** Tampers with an event of a type, or gives null for another one. */
const inEvent =
  (type: string | RegExp, change: (event: Json) => Json | null) =>
  (line: Line): Line | null => {
    const changed = String(eventOf(line)['type']).match(type) ? change(eventOf(line)) : null;
    return changed === null ? null : { ...line, event: { ...eventOf(line), ...changed } };
  };

/** A change of a line: its changed copy, or null where it has nothing of the kind. */
const changes: Record<string, (line: Line) => Line | null> = {
  "a tool's result": inEvent('observation.recorded', ({ result }) => ({ result: `${result}.` })),
  'one result of several': inEvent('observations.recorded', ({ observations }) => ({
    observations: (observations as Json[]).map((each) => ({ ...each, result: 'other' })),
  })),
  'a result that failed': inEvent('observation.recorded', ({ ok }) => ({ ok: !ok })),
  'the answer': inEvent(/made$/, ({ response }) => (response ? { response: `${response} Not.` } : null)),
  'the goal': inEvent('task.opened', ({ goal }) => ({ goal: `${goal} now` })),
  'the input of an action': inEvent('thought.made', ({ next_action }) =>
    next_action ? { next_action: { ...(next_action as Json), input: 'other' } } : null,
  ),
  'a step of the plan': inEvent('plan.made', () => ({ plan: ['Something else'] })),
  'why an answer was refused': inEvent(/rejected$/, () => ({ reason: 'no reason' })),
  "a user's words": inEvent(/^(answer|steer).received$/, ({ text }) => ({ text: `${text}!` })),
  'a decision': inEvent('decision.received', () => ({ decision: { type: 'approve', reason: 'as agreed' } })),
  'who decided': inEvent('decision.received', () => ({ by: { owner: 'ada', via: 'http' } })),
  'the turn that brought it': inEvent(/(opened|received)$/, () => ({ turn_id: 'turn_9' })),
  'the usage of a call': inEvent(/made$/, ({ usage }) => (usage ? { usage: { ...usage, output_tokens: 0 } } : null)),
  'the language': inEvent('task.opened', ({ language }) => ({ language: language === 'en' ? 'zh' : 'en' })),
  'the catalogue': inEvent('task.opened', ({ catalogue }) => ({ catalogue: { ...(catalogue as Json), note: 'x' } })),
  'a limit': inEvent('task.opened', ({ limits }) => ({ limits: { ...(limits as Json), max_questions: 7 } })),
  'the time': (line) => ({ ...line, at: '2020-01-01T00:00:00.000Z' }),
  'the state': (line) => (line['task_id'] ? { ...line, state: 'verifying' } : null),
  'the count': (line) => (line['task_id'] ? { ...line, step_count: 77 } : null),
  'the effects': (line) => ((line['effects'] as unknown[]).length > 0 ? { ...line, effects: [] } : null),
  'the chain': (line) => ({ ...line, chain: '0'.repeat(64) }),
  'no chain': ({ chain: _, ...line }) => line,
  'the order of members': (line) => Object.fromEntries(Object.entries(line).reverse()),
  "a session's own event": (line) =>
    line['task_id'] === null ? { ...line, event: { ...eventOf(line), text: 'other' } } : null,
};

const traces = goldenNames.map((name) => ({ name, lines: chained(goldenLines(name)) }));

/** The seq of the entry at which a replay finds a difference; null where the line is not readable at all, undefined where it replays. */
const foundAt = async (lines: readonly Line[]): Promise<unknown> => {
  try {
    const result = await replay(lines);
    return result.ok ? undefined : result.seq;
  } catch (error) {
    expect(error).toMatchObject({ code: 'TRACE_NOT_READABLE' });
    return null;
  }
};

describe('a chained trace', () => {
  it('replays', async () => {
    for (const { lines } of traces) expect(await replay(lines)).toEqual({ ok: true, entries: lines.length });
  });

  it.each(Object.entries(changes))('with %s changed is found at that entry', async (what, change) => {
    let tried = 0;
    for (const { name, lines } of traces)
      for (const [place, line] of lines.entries()) {
        const tampered = change(line);
        // A first entry without a chain is one from before there were chains.
        if (tampered === null || (what === 'no chain' && place === 0)) continue;
        tried += 1;
        const found = await foundAt(lines.with(place, tampered));
        expect({ name, place, found }).toEqual({ name, place, found: found === null ? null : line['seq'] });
        if (tried === 40) return;
      }
    expect(tried).toBeGreaterThan(0);
  });

  const { lines } = traces.find(({ name }) => name === 'two-items-with-tools')!;

  it('with an entry left out, put in, swapped or repeated is found there, though seq allows gaps', async () => {
    const inserted = { ...lines[3], event: { type: 'result.superseded', effect: 1, outcome: 'x' }, effects: [] };
    const tampered = [
      lines.toSpliced(4, 1),
      [...lines.slice(0, 4), inserted, ...lines.slice(4)].map((line, i) => ({ ...line, seq: i + 1 })),
      lines.with(4, lines[5]!).with(5, lines[4]!),
      lines.toSpliced(4, 0, lines[4]!),
    ];
    for (const each of tampered) expect(await replay(each)).toMatchObject({ ok: false });
  });

  it('under the name of another task or session is found at its first entry', async () => {
    const renamed = (from: unknown, to: string): Line[] =>
      JSON.parse(JSON.stringify(lines).replaceAll(`"${from}"`, `"${to}"`));
    for (const tampered of [renamed(lines[0]!['task_id'], 'task_9'), renamed(lines[0]!['session_id'], 'another')])
      expect(await replay(tampered)).toMatchObject({ ok: false, seq: 1 });
  });

  it('without the chains of its first entries is found where they begin', async () => {
    const stripped = lines.map(({ chain, ...line }, i) => (i < 5 ? line : { ...line, chain }));
    expect(await replay(stripped)).toMatchObject({ ok: false, seq: lines[5]!['seq'] });
  });

  it('that was made anew from an entry on, or ends early, agrees with itself, and not with a chain given away before', async () => {
    const root = String(lines.at(-1)!['chain']);
    const goal = { ...eventOf(lines[0]!), goal: 'Another goal' };
    const anew = chained(lines.with(0, { ...lines[0], event: goal }));
    const unchained = lines.map(({ chain: _, ...line }) => line);
    for (const tampered of [anew, lines.slice(0, -1), unchained]) {
      expect(await replay(tampered)).toMatchObject({ ok: true });
      expect(await replay(tampered, { roots: [root] })).toMatchObject({ ok: false, expected: root });
    }
    expect(await replay(lines, { roots: [root] })).toMatchObject({ ok: true });
  });

  it('that begins in a history from before there were chains replays, and says how many have none', async () => {
    const later = [...goldenLines('two-items-with-tools').slice(0, 4), ...chained(lines.slice(4))];
    expect(await replay(later)).toEqual({ ok: true, entries: lines.length, unchained: 4 });
  });
});
