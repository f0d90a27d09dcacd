import { expect, it } from 'vitest';
import { callOf, idOf, openBridgeFolder, startReferenceAgent } from '../tools/coding-agent-bridge.ts';
import { readTranscript } from './transcript.ts';

/** The ids of the commands that the transcript shows; any other uuid is the agent's own session. */
const COMMANDS = [idOf(1), idOf(2)];
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

it('the transcript for users of the plan agent happens as it says', async () => {
  const { bridgeDir, agent, read } = openBridgeFolder();
  await startReferenceAgent(bridgeDir);
  let calls = 0;
  const perform = async (input: string): Promise<string> => {
    const [, verb, rest = ''] = /^(\S+) ?(.*)$/.exec(input) ?? [];
    switch (verb) {
      case 'coding_agent':
        return (await agent.tool.run(rest, callOf(++calls, { clarifications: ['No dependencies'] }))).result;
      case 'cat':
        return read(rest);
      default:
        throw new Error(`the transcript has an input that this test does not know: ${input}`);
    }
  };
  const exchanges = readTranscript('test/docs/transcripts/plan-agent.md');
  expect(exchanges.length).toBeGreaterThan(3);
  const sessionsIn = (text: string): string[] => (text.match(UUID) ?? []).filter((id) => !COMMANDS.includes(id));
  const [session] = exchanges.flatMap(({ output }) => sessionsIn(output));
  for (const { input, output } of exchanges) {
    const happened = (await perform(input)).replace(UUID, (id) => (COMMANDS.includes(id) ? id : session!)).trim();
    expect({ input, output: happened }).toEqual({ input, output });
  }
});
