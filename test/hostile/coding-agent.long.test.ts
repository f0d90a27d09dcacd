import { mkdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { startAttackedService } from '../support/hostile/attacked-service.ts';
import { type HostileCodingAgentBehaviour, hostileCodingAgent } from '../support/hostile/coding-agent.ts';
import { act, answer, done, plan } from '../support/service/service.ts';

/** Time limit of a command, in milliseconds: reports that never come are waited for as long. */
const BRIDGE_MS_MAX = 3_000;

/** Far above what it takes, for a machine that does other things meanwhile. */
const RUN_MS_MAX = 600_000;

const goalOf = (behaviour: string): string => `Use ${behaviour}`;

it('whatever a coding agent reports, its task continues, other sessions are served meanwhile, and every history replays', {
  timeout: RUN_MS_MAX,
}, async () => {
  const behaviours = Object.keys(hostileCodingAgent) as HostileCodingAgentBehaviour[];
  const answers = behaviours.map((each) => [
    goalOf(each),
    [plan('[CODE] Write it'), act('coding_agent', 'write it'), done(), answer('Done.')],
  ]);
  const bridge = temporaryFolder();
  const [pending, reports] = [join(bridge, 'commands', 'pending'), join(bridge, 'reports', 'pending')];
  const env = { TRIPACT_BRIDGE_DIR: bridge, TRIPACT_BRIDGE_TIMEOUT_MS: String(BRIDGE_MS_MAX) };
  const service = await startAttackedService(Object.fromEntries(answers), { env });
  // The folders are made with the first command.
  const commands = async (): Promise<string[]> =>
    (await readdir(pending).catch(() => [])).filter(
      (name) => name.endsWith('.md') && !/^command_type: end$/m.test(readFileSync(join(pending, name), 'utf8')),
    );
  const blocked: Record<string, number[]> = {};
  for (const behaviour of behaviours) {
    const goal = goalOf(behaviour);
    const before = new Set(await commands());
    const sent = await service.open(goal);
    let name: string | undefined;
    await expect
      .poll(async () => {
        name = (await commands()).find((each) => !before.has(each));
        return name;
      })
      .toBeDefined();
    mkdirSync(reports, { recursive: true });
    hostileCodingAgent[behaviour](reports, `report-${name}`);
    await service.answersOthers(goal);
    expect(await sent.finished(), behaviour).toMatchObject({ status: 'answered', output: 'Done.' });
    await service.keepsPromises(goal);
    const tooLong = service.blockedTooLong();
    if (tooLong.length > 0) blocked[behaviour] = tooLong;
  }
  expect(blocked).toEqual({});
});
