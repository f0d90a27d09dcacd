import { expect, it, vi } from 'vitest';
import { callOf, END, idOf, openBridgeFolder, startReferenceAgent } from '../tools/coding-agent-bridge.ts';
import { readTranscript } from './transcript.ts';

/** The ids of the commands that the page shows; any other uuid is the agent's own session. */
const COMMANDS = [idOf(1), idOf(2), END];
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
        await agent.taskEnded('task_a');
        // By rename: before that it has a name that begins with a dot.
        await vi.waitFor(() => expect(files('reports/pending')).toEqual([`report-task-${END}.md`]), {
          timeout: 10_000,
        });
        return '';
      }
      default:
        throw new Error(`the page has an input that this test does not know: ${input}`);
    }
  };
  const exchanges = readTranscript('docs/coming-from-plan-agent.md');
  expect(exchanges.length).toBeGreaterThan(5);
  const sessionsIn = (text: string): string[] => (text.match(UUID) ?? []).filter((id) => !COMMANDS.includes(id));
  const [session] = exchanges.flatMap(({ output }) => sessionsIn(output));
  for (const { input, output } of exchanges) {
    const happened = (await perform(input)).replace(UUID, (id) => (COMMANDS.includes(id) ? id : session!)).trim();
    expect({ input, output: happened }).toEqual({ input, output });
  }
});
