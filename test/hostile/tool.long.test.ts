import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startAttackedService } from '../support/hostile/attacked-service.ts';
import { type HostileToolBehaviour, hostileTools } from '../support/hostile/tools.ts';
import { act, answer, done, plan } from '../support/service/service.ts';

const TOOLS = fileURLToPath(new URL('../support/hostile/tools.ts', import.meta.url));

/** Time limit of each tool, in milliseconds: those that never return are waited for as long. */
const TOOL_MS_MAX = 1_000;

/** Far above what it takes, for a machine that does other things meanwhile. */
const RUN_MS_MAX = 600_000;

const config = `
  import { hostileToolList } from ${JSON.stringify(TOOLS)};
  const verify = async () => {
    void Promise.reject(new Error('rejected beside a verifier'));
    return { ok: true, output: 'fine' };
  };
  export default { tools: hostileToolList(${TOOL_MS_MAX}), verify: [verify] };
`;

const goalOf = (tool: string): string => `Use ${tool}`;

it('whatever a tool does, its task continues, other sessions are served meanwhile, and every history replays', {
  timeout: RUN_MS_MAX,
}, async () => {
  const behaviours = Object.keys(hostileTools) as HostileToolBehaviour[];
  const answers = behaviours.map((tool) => [goalOf(tool), [plan('Do it'), act(tool, 'go'), done(), answer('Done.')]]);
  const service = await startAttackedService(Object.fromEntries(answers), {
    config,
    env: { TRIPACT_LOG_LEVEL: 'info' },
  });
  const blocked: Record<string, number[]> = {};
  for (const tool of behaviours) {
    const goal = goalOf(tool);
    const sent = await service.open(goal);
    await service.answersOthers(goal);
    expect(await sent.finished(), tool).toMatchObject({ status: 'answered', output: 'Done.' });
    await service.keepsPromises(goal);
    const tooLong = service.blockedTooLong();
    if (tooLong.length > 0) blocked[tool] = tooLong;
  }
  expect(blocked).toEqual({});
  for (const thrown of [
    'thrown in a timer of throws_in_timer',
    'thrown in a listener of throws_in_listener',
    'rejected beside stray_rejection',
    'rejected beside a verifier',
  ])
    expect(service.serve.stderr() + service.serve.stdout()).toContain(thrown);
});
