import { expect, it, vi } from 'vitest';
import { callOf, openBridgeFolder, startReferenceAgent } from '../tools/coding-agent-bridge.ts';
import { readTranscript } from './transcript.ts';

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

it('everything that the page for users of the plan agent shows happens as it shows it', async () => {
  const { bridgeDir, agent, read, files } = openBridgeFolder();
  await startReferenceAgent(bridgeDir);
  let calls = 0;
  const perform = async (input: string): Promise<string> => {
    const [, verb, rest = ''] = /^(\S+) ?(.*)$/.exec(input) ?? [];
    switch (verb) {
      case 'coding_agent':
        return (await agent.tool.run(rest, callOf(++calls, { clarifications: ['No dependencies'] }))).result;
      case 'cat':
        return read(rest);
      case 'ls':
        return files(rest).join('\n');
      case 'end-of-task': {
        const before = files('reports/pending').length;
        await agent.taskEnded('task_a');
        await vi.waitFor(() => expect(files('reports/pending').length).toBeGreaterThan(before), { timeout: 10_000 });
        return '';
      }
      default:
        throw new Error(`the page has an input that this test does not know: ${input}`);
    }
  };
  const exchanges = readTranscript('docs/coming-from-plan-agent.md');
  expect(exchanges.length).toBeGreaterThan(5);
  const [session] = exchanges.flatMap(({ output }) => output.match(UUID) ?? []);
  for (const { input, output } of exchanges) {
    const happened = (await perform(input)).replace(UUID, session!).trim();
    expect({ input, output: happened }).toEqual({ input, output });
  }
});
