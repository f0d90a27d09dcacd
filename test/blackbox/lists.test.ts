import { describe, expect, it } from 'vitest';
import { SessionView, WaitingTask } from '../../contracts/http.ts';
import { TurnView } from '../../contracts/turn-view.ts';
import { answer, ask, plan, startService } from '../support/service/service.ts';

const one = plan('Book a table');

/** The list, checked against the contract. */
const waitingIn = (body: unknown): WaitingTask[] =>
  WaitingTask.strict()
    .array()
    .parse((body as { tasks: unknown }).tasks);

describe('what waits for its owner', () => {
  it('is listed over all sessions, longest first, and goes when it is answered', async () => {
    const script = [one, ask('Where?'), one, ask('When?'), one, ask('With whom?'), answer('Booked')];
    const service = await startService(script);
    const turns = [];
    for (const session of ['s1', 's2', 's3']) turns.push(await service.say(session, 'Book a table'));
    const list = async (query = '') => waitingIn(await service.get(`/v1/tasks${query}`));
    const all = await list('?state=awaiting_user,paused');
    expect(all.map(({ session_id, question }) => [session_id, question])).toEqual([
      ['s1', 'Where?'],
      ['s2', 'When?'],
      ['s3', 'With whom?'],
    ]);
    expect(all.map(({ task }) => task)).toEqual(turns.map(({ task }) => task));
    expect(all.map(({ since }) => since)).toEqual(turns.map(({ finished_at }) => finished_at));
    expect(await list()).toEqual(all);
    expect(await list('?state=paused')).toEqual([]);
    await service.say('s1', 'In Rome');
    await service.say('s3', '/cancel');
    expect((await list()).map(({ session_id }) => session_id)).toEqual(['s2']);
    await service.restart();
    expect(await list()).toEqual([all[1]]);
  });

  it('waits since it asked, also when its plan is edited meanwhile', async () => {
    const service = await startService([one, ask('Where?')]);
    await service.say('s1', 'Book a table');
    const before = waitingIn(await service.get('/v1/tasks'));
    await service.say('s1', '/plan add Bring flowers');
    const after = waitingIn(await service.get('/v1/tasks'));
    expect(after[0]?.since).toBe(before[0]?.since);
    expect(after[0]?.task.plan.map(({ step }) => step)).toEqual(['Book a table', 'Bring flowers']);
  });

  it('comes by page, and each task once', async () => {
    const service = await startService({ plan: one, thought: ask('Where?') });
    for (const session of ['s1', 's2', 's3']) await service.say(session, 'Book a table');
    const first = await service.get<{ next: string }>('/v1/tasks?limit=2');
    const second = await service.get<{ next: null }>(`/v1/tasks?limit=2&cursor=${first.next}`);
    expect([first, second].flatMap(waitingIn).map(({ session_id }) => session_id)).toEqual(['s1', 's2', 's3']);
    expect(second.next).toBeNull();
  });
});

describe('the list of sessions', () => {
  it('names each by the first input that opened a task in it, on one line', async () => {
    const service = await startService([one, ask('Where?'), answer('Booked')]);
    await service.say('s1', '/status');
    await service.say('s1', `Book a table\n\n  for ${'many '.repeat(40)}`);
    await service.say('s1', 'In Rome');
    await service.say('s2', '/status');
    const titles = async () => {
      const { sessions } = await service.get<{ sessions: unknown[] }>('/v1/sessions');
      return SessionView.array()
        .parse(sessions)
        .map(({ session_id, title }) => [session_id, title]);
    };
    const long = expect.stringMatching(/^Book a table for (many ){20,}.{0,4}…$/);
    expect(await titles()).toEqual([
      ['s2', null],
      ['s1', long],
    ]);
    await service.restart();
    expect(await titles()).toEqual([
      ['s2', null],
      ['s1', long],
    ]);
  });
});

describe("a session's turns", () => {
  it('are listed newest first, by page, each as it is shown alone', async () => {
    const service = await startService([one, ask('Where?')]);
    const sent = [await service.say('s1', 'Book a table')];
    await service.say('s2', '/help');
    for (const input of ['/status', '/plan', '/help']) sent.push(await service.say('s1', input));
    const first = await service.get<{ turns: unknown[]; next: string }>('/v1/sessions/s1/turns?limit=3');
    const second = await service.get<{ turns: unknown[]; next: null }>(
      `/v1/sessions/s1/turns?limit=3&cursor=${first.next}`,
    );
    expect(second.next).toBeNull();
    const listed = TurnView.strict()
      .array()
      .parse([...first.turns, ...second.turns]);
    expect(listed.map(({ id }) => id)).toEqual(sent.map(({ id }) => id).reverse());
    for (const turn of listed) expect(await service.get(`/v1/turns/${turn.id}`)).toEqual(turn);
    await service.restart();
    expect(await service.get('/v1/sessions/s1/turns?limit=3')).toEqual(first);
  });
});
