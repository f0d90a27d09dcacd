import { describe, expect, it } from 'vitest';
import type { By, Via } from '../../../contracts/by.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import type { ApprovalRule } from '../../../src/tools/approval.ts';
import { calls, message } from '../anthropic/answers.ts';
import { answersByGoal } from '../anthropic/answers-by-goal.ts';
import type { MessagesAnswer, MessagesScript } from '../anthropic/messages.ts';
import { shutGate } from '../service/gate.ts';
import { PNG, sha256 } from '../service/sample-files.ts';
import { act, answer, ask, done, plan, type Service, startService } from '../service/service.ts';
import { openFrontEnd, startWithFrontEnd } from './as-user.ts';
import type { Conversation, FrontEnd } from './front-end.ts';

const PARTY = 'Plan the party';
/** The policy's verdict on the second action. */
const SUMMARY = 'Put the party into the calendar';
const CAKE = 'And who brings the cake?';
const LOOK = 'What colour is this?';
const LONG = 'Think about it for long';

const party = (): MessagesScript =>
  answersByGoal({
    [PARTY]: [
      plan('Choose a day', 'Buy balloons'),
      { ...ask('Which day?'), options: ['Saturday', 'Sunday'] },
      { status: 'replanned', plan: ['Buy balloons'], response: null },
      act('todo', 'add balloons'),
      act('schedule', 'add "2026-12-06 15:00" party'),
      answer('The party is on Sunday. The balloons are on your list.'),
    ],
    [CAKE]: [plan('Find out'), done('Anna'), answer('Anna brings it.')],
    Sunday: [plan('Rest'), done('Rested'), answer('A day of rest.')],
  });

/** The same by calls, several in a message. */
const partyByCalls = (): MessagesScript =>
  answersByGoal({
    [PARTY]: [
      calls([
        ['plan', { items: ['Choose a day', 'Buy balloons'] }],
        ['ask_user', { question: 'Which day?', options: ['Saturday', 'Sunday'] }],
      ]),
      calls([
        ['plan', { items: ['Buy balloons'] }],
        ['todo', { input: 'add balloons' }],
      ]),
      calls([['schedule', { input: 'add "2026-12-06 15:00" party' }]]),
      calls([['finish', { response: 'The party is on Sunday. The balloons are on your list.' }]]),
    ],
    [CAKE]: [calls([['finish', { response: 'Anna brings it.' }]])],
  });

/** A service whose model answers one goal only when the test allows it. */
const startGated = async (): Promise<{ service: Service; open(): void }> => {
  const gate = shutGate();
  const script = answersByGoal({
    [LONG]: [
      plan('Think'),
      async (response, request) => {
        await gate.opened;
        await message(done())(response, request);
      },
      answer('I have thought about it.'),
    ],
    [CAKE]: [plan('Find out'), done('Anna'), answer('Anna brings it.')],
  });
  return { service: await startService(script), open: gate.open };
};

/** The body that a user gets from an address; null: nothing is there. */
const shownAt = async (url: string, path: string): Promise<string | null> => {
  const response = await fetch(url + path);
  return response.status === 404 ? null : response.text();
};

/** By whom and by which way each question and approval of a session was answered. */
const answeredBy = async ({ trace }: Service, { session }: Conversation): Promise<(By | undefined)[]> =>
  (await trace(session)).flatMap(({ event }) =>
    event.type === 'answer.received' || event.type === 'decision.received' ? [event.by] : [],
  );

const tasksOf = async ({ get }: Service, { session }: Conversation): Promise<{ state: string }[]> =>
  (await get<{ tasks: { state: string }[] }>(`/v1/sessions/${session}/tasks`)).tasks;

/**
 * Runs the story that every front end has to show, with its real client (PROTOCOLS of docs/front-ends/). `via` is the
 * way of its users' decisions in the record. `isServed` false: there is no server between it and the service.
 * `takesPhotos` false: its photos come by another server, and a test of its own shows them.
 */
export const tellStory = (name: string, via: Via, connect: FrontEnd, isServed = true, takesPhotos = isServed): void => {
  describe(`${name}: a user`, () => {
    it.each([
      ['by text', party],
      ['by calls', partyByCalls],
    ])(
      'sees progress, chooses an option, gives a command in between, approves, refuses, and refers to what was said, where a model answers %s',
      async (_, script) => {
        const approvals = [{ tools: 'sched*', approval: () => ({ ask: SUMMARY }) }];
        const service = await startService(script(), { TRIPACT_APPROVE: 'todo' }, { file: { approvals } });
        const conversation = connect(() => service.url)();

        const question = await conversation.say(PARTY);
        expect(question).toMatchObject({ options: ['Saturday', 'Sunday'], approval: null, error: null });
        expect(question.text).toContain('Which day?');
        expect(question.progress.join('\n')).toContain('Choose a day');

        expect((await conversation.say('/todo list')).text).toContain('No todos');

        const first = await conversation.choose('Sunday');
        expect(first.approval).toMatchObject({ tool: 'todo', input: 'add balloons' });
        const second = await conversation.decide(true);
        expect(second.approval).toMatchObject({ tool: 'schedule', input: 'add "2026-12-06 15:00" party' });
        expect(second.text).toContain(SUMMARY);
        expect((await service.say('other', '/todo list')).output).toContain('balloons');

        const result = await conversation.decide(false);
        expect(result).toMatchObject({ options: [], approval: null, error: null });
        expect(result.text).toContain('The party is on Sunday. The balloons are on your list.');
        expect((await service.say('other', '/schedule list')).output).not.toContain('party');

        const cake = await conversation.say(CAKE);
        expect(cake.text).toContain('Anna brings it.');
        expect(JSON.stringify(service.model.requests.at(-1))).toContain('The party is on Sunday.');
        const by = { owner: 'local', via };
        expect(await answeredBy(service, conversation)).toEqual([by, by, by]);
      },
    );

    it.runIf(isServed)('is shown who decides about an action in its place, and goes on after that', async () => {
      const approvals: ApprovalRule[] = [{ tools: 'sched*', approval: true, approvers: ['role:office'] }];
      const script = answersByGoal({
        [PARTY]: [plan('Note it'), act('schedule', 'add "2026-12-06 15:00" party'), done(), answer('It is on Sunday.')],
        [CAKE]: [plan('Find out'), done('Anna'), answer('Anna brings it.')],
      });
      const { service, key, asOperator } = await startWithFrontEnd(script, {}, {}, { file: { approvals } });
      const made = await asOperator('/v1/keys', 'POST', { owner: 'fay', roles: ['office'] });
      const fay = { authorization: `Bearer ${((await made.json()) as { key: string }).key}` };
      const ada = await openFrontEnd(() => service.url, key, 'ada');
      const conversation = connect(() => ada)();

      const asked = await conversation.say(PARTY);
      expect(asked.approval).toMatchObject({ tool: 'schedule' });
      expect(asked.text).toContain('role:office');
      const refused = await conversation.decide(true);
      // The client of A2A 0.3 reads no error that comes before a stream.
      expect(refused.error ?? refused.text).toMatch(/role:office|Invalid response Content-Type/);
      const listed = await fetch(`${service.url}/v1/approvals`, { headers: fay });
      const { approvals: cards } = (await listed.json()) as { approvals: { id: string; owner: string }[] };
      expect(cards).toMatchObject([{ owner: 'web~ada' }]);
      const decided = await service.post(`/v1/approvals/${cards[0]!.id}/decision`, { type: 'approve' }, fay);
      expect(decided.status).toBe(204);
      const tasks = () => shownAt(ada, `/v1/sessions/${conversation.session}/tasks`);
      await expect.poll(tasks).toContain('"state":"done"');
      // A front end that still shows the question sends its next message as an answer to it, and is told that it is closed.
      const next = await conversation.say(CAKE);
      const cake = next.error === null ? next : await conversation.say(CAKE);
      expect(cake.text).toContain('Anna brings it.');
      expect(JSON.stringify(service.model.requests.at(-1))).toContain('It is on Sunday.');
    });

    it.runIf(takesPhotos)(
      'sends a photo, which the model gets byte for byte, or which the reply names where the model sees none',
      async () => {
        const script = () => answersByGoal({ [LOOK]: [plan('Look'), done('Red'), answer('It is red.')] });
        const photo = { name: 'photo.png', mediaType: 'image/png', bytes: PNG };
        const service = await startService(script());
        const conversation = connect(() => service.url)();
        const shown = await conversation.say(LOOK, photo);
        expect(shown).toMatchObject({ text: expect.stringContaining('It is red.'), error: null });
        expect(shown.text).not.toContain('could not look');
        const [turn] = (await service.get<{ turns: TurnView[] }>(`/v1/sessions/${conversation.session}/turns`)).turns;
        expect(turn?.files).toMatchObject([{ sha256: sha256(PNG), media_type: 'image/png', bytes: PNG.length }]);
        const image = {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') },
        };
        const contents = service.model.requests.at(-1)!.sent.messages.flatMap(({ content }) => content as object[]);
        expect(contents).toContainEqual(expect.objectContaining(image));

        const blind = await startService(script(), { TRIPACT_MODEL_FILES: 'none' });
        const other = await connect(() => blind.url)().say(LOOK, photo);
        expect(other.text).toMatch(/could not look at \w+\.png[\s\S]*It is red\./);
      },
    );

    it('cancels a running task, and goes on', async () => {
      const { service } = await startGated();
      const conversation = connect(() => service.url)();
      const running = await conversation.start(LONG);
      await service.model.asked(2);
      await running.cancel();
      await expect.poll(() => tasksOf(service, conversation)).toMatchObject([{ state: 'cancelled' }]);
      expect((await conversation.say(CAKE)).text).toContain('Anna brings it.');
    });

    it('goes on where the task was paused at its limit', async () => {
      const script = [plan('Think'), act('todo', 'add think'), done(), answer('I have thought about it.')];
      const service = await startService(script, { TRIPACT_MAX_STEPS: '1' });
      const conversation = connect(() => service.url)();
      const paused = await conversation.say(LONG);
      expect(paused).toMatchObject({ options: [], approval: null, error: null });
      expect(paused.text).toContain('continue');
      let shown = paused;
      for (let i = 0; i < 5 && shown.text.includes('continue'); i++) shown = await conversation.say('continue');
      expect(shown.text).toContain('I have thought about it.');
      expect(await tasksOf(service, conversation)).toHaveLength(1);
    });

    it('learns that the question of its late answer has expired, and is asked again at "continue"', async () => {
      const service = await startService(party(), { TRIPACT_QUESTION_EXPIRY: '1' });
      const conversation = connect(() => service.url)();
      await conversation.say(PARTY);
      await expect.poll(() => tasksOf(service, conversation)).toMatchObject([{ state: 'paused' }]);
      const late = await conversation.choose('Sunday');
      expect(JSON.stringify(late)).toMatch(
        /has expired|answered in time: Which day\?|"text":"Please confirm: Which day\?/,
      );
      const isAskedAgain = late.error === null && late.options.length > 0;
      const again = isAskedAgain ? late : await conversation.say('continue');
      expect(again).toMatchObject({ options: ['Saturday', 'Sunday'], error: null });
      expect(again.text).toContain('Which day?');
    });

    it('is shown an error when the service stops in the middle, and the task is not lost', async () => {
      const { service, open } = await startGated();
      const conversation = connect(() => service.url)();
      const running = await conversation.start(LONG);
      await service.model.asked(2);
      const restarting = service.restart();
      expect((await running.shown).error).not.toBeNull();
      open();
      await restarting;
      await expect.poll(() => tasksOf(service, conversation)).toMatchObject([{ state: 'done' }]);
      expect((await conversation.say(CAKE)).text).toContain('Anna brings it.');
    });

    it('has two conversations at once, and neither sees the other', async () => {
      const { service, open } = await startGated();
      const begin = connect(() => service.url);
      const [one, two] = [begin(), begin()];
      const running = await one.start(LONG);
      await service.model.asked(2);
      expect((await two.say(CAKE)).text).toContain('Anna brings it.');
      open();
      expect((await running.shown).text).toContain('I have thought about it.');
      expect(one.session).not.toBe(two.session);
    });

    it.runIf(isServed)(
      'is one of two at the same front end, and neither sees what the other has, says or does',
      async () => {
        const gate = shutGate();
        const think: MessagesAnswer = async (response, request) => {
          await gate.opened;
          await message(done())(response, request);
        };
        const script = answersByGoal({
          [LONG]: [plan('Think'), think, answer('I have thought about it.')],
          [CAKE]: [plan('Find out'), act('files', 'write cake.txt Anna'), done('Anna'), answer('Anna brings it.')],
        });
        const { service, key } = await startWithFrontEnd(script);
        const open = (user: string) => openFrontEnd(() => service.url, key, user);
        const [ada, bob] = await Promise.all([open('ada@example.com'), open('bob')]);
        const [one, two] = [connect(() => ada)(), connect(() => bob)()];

        await Promise.all([one.say('/todo add balloons'), two.say('/memory add Anna bakes')]);
        expect((await two.say('/todo list')).text).not.toContain('balloons');
        expect((await one.say('/todo list')).text).toContain('balloons');
        expect((await one.say('/memory list')).text).not.toContain('Anna');
        const running = await one.start(LONG);
        await service.model.asked(2);
        expect((await two.say(CAKE)).text).toContain('Anna brings it.');
        expect((await two.say('/status')).text).not.toContain(LONG);
        for (const path of ['', '/turns', '/trace', '/events', '/files', '/files/cake.txt'])
          expect([path, await shownAt(ada, `/v1/sessions/${two.session}${path}`)]).toEqual([path, null]);
        expect(await shownAt(bob, `/v1/sessions/${two.session}/files/cake.txt`)).toBe('Anna');
        expect(await shownAt(bob, '/v1/sessions')).not.toContain(one.session);
        gate.open();
        expect((await running.shown).text).toContain('I have thought about it.');
        const turns = async (url: string) => JSON.parse((await shownAt(url, '/v1/usage'))!).today.turns;
        expect([await turns(ada), await turns(bob)]).toEqual([1, 1]);
      },
    );

    it('may lose the connection: the task goes on', async () => {
      const { service, open } = await startGated();
      const conversation = connect(() => service.url)();
      const running = await conversation.start(LONG);
      running.shown.catch(() => {});
      await service.model.asked(2);
      running.disconnect();
      const again = await conversation.reconnect?.();
      open();
      if (again !== undefined) expect((await again.shown).text).toContain('I have thought about it.');
      await expect.poll(() => tasksOf(service, conversation)).toMatchObject([{ state: 'done' }]);
    });
  });
};
