import { expect, it } from 'vitest';
import { startAttackedService } from '../support/hostile/attacked-service.ts';
import { type HostileMcpBehaviour, hostileMcpBehaviours, hostileMcpServer } from '../support/hostile/mcp.ts';
import { act, answer, done, plan } from '../support/service/service.ts';

/** Time limit of a call, in milliseconds: servers that never answer are waited for as long. */
const TOOL_MS_MAX = 4_000;

/** Far above what it takes, for a machine that does other things meanwhile. */
const RUN_MS_MAX = 600_000;

const goalOf = (server: string): string => `Use ${server}`;

/** Runs each, one after the other, and returns how long each blocked the event loop. */
const withstandAll = async (behaviours: readonly HostileMcpBehaviour[]): Promise<Record<string, number[]>> => {
  const servers = Object.fromEntries(behaviours.map((each) => [each, hostileMcpServer(each)]));
  const answers = behaviours.map((each) => [
    goalOf(each),
    [plan('Do it'), act(`${each}_go`, '{}'), done(), answer('Done.')],
  ]);
  const config = `export default { mcpServers: ${JSON.stringify(servers)} };`;
  const env = { TRIPACT_TOOL_TIMEOUT_MS: String(TOOL_MS_MAX) };
  const service = await startAttackedService(Object.fromEntries(answers), { config, env });
  const blocked: Record<string, number[]> = {};
  for (const behaviour of behaviours) {
    const goal = goalOf(behaviour);
    const sent = await service.open(goal);
    await service.answersOthers(goal);
    expect(await sent.finished(), behaviour).toMatchObject({ status: 'answered', output: 'Done.' });
    await service.keepsPromises(goal);
    const tooLong = service.blockedTooLong();
    if (tooLong.length > 0) blocked[behaviour] = tooLong;
  }
  return blocked;
};

it('whatever an MCP server does, its task continues, other sessions are served meanwhile, and every history replays', {
  timeout: RUN_MS_MAX,
}, async () => {
  expect(await withstandAll(hostileMcpBehaviours)).toEqual({});
});
