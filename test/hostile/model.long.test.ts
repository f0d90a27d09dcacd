import { expect, it } from 'vitest';
import { type AttackedService, startAttackedService } from '../support/hostile/attacked-service.ts';
import { type HostileModelBehaviour, hostileModel } from '../support/hostile/model.ts';

/** Requests that a task may make of a model that never keeps a contract: tries again, and plans again. */
const REQUESTS_MAX = 40;

/** Behaviours that only wait: they run at once. The others run one by one, to see which blocked the loop. */
const waiting = ['neverAnswers', 'slow', 'endless', 'diesInMessage', 'announcesMore', 'announcesLess'] as const;

/** Of these, those with no end of their own: the task is cancelled, unless the time limit comes first. */
const unending: ReadonlySet<HostileModelBehaviour> = new Set(['neverAnswers', 'slow', 'endless', 'announcesMore']);

/** Time for one answer, in milliseconds. */
const MODEL_MS_MAX = 10_000;

/** Far above what it takes, for a machine that does other things meanwhile. */
const RUN_MS_MAX = 600_000;

const behaviours = Object.keys(hostileModel) as HostileModelBehaviour[];
const working = behaviours.filter((each) => !(waiting as readonly string[]).includes(each));
const goalOf = (behaviour: HostileModelBehaviour): string => `Ask ${behaviour}`;

const withstand = async (service: AttackedService, behaviour: HostileModelBehaviour): Promise<void> => {
  const goal = goalOf(behaviour);
  const sent = await service.open(goal);
  await service.answersOthers(goal);
  if (unending.has(behaviour)) await service.cancel(goal);
  const turn = await sent.finished();
  expect(['cancelled', 'paused', 'failed', 'asking'], `${behaviour}: ${turn.status} ${turn.output}`).toContain(
    turn.status,
  );
  if (turn.status === 'asking') await service.cancel(goal);
  await service.keepsPromises(goal);
};

/** Runs each, all at once or one after the other, and returns how long each blocked the event loop. */
const withstandAll = async (...groups: HostileModelBehaviour[][]): Promise<Record<string, number[]>> => {
  const answers = groups.flat().map((each) => [goalOf(each), Array(REQUESTS_MAX).fill(hostileModel[each])] as const);
  const env = { TRIPACT_MODEL_TIMEOUT_MS: String(MODEL_MS_MAX) };
  const service = await startAttackedService(Object.fromEntries(answers), { env });
  const blocked: Record<string, number[]> = {};
  for (const group of groups) {
    await Promise.all(group.map((each) => withstand(service, each)));
    const tooLong = service.blockedTooLong();
    if (tooLong.length > 0) blocked[group.join()] = tooLong;
  }
  return blocked;
};

it('whatever a model sends, tasks end, other sessions are served meanwhile, and every history replays', {
  timeout: RUN_MS_MAX,
}, async () => {
  expect(await withstandAll([...waiting], ...working.map((each) => [each]))).toEqual({});
});
