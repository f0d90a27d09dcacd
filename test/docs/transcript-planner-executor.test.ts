import { expect, it } from 'vitest';
import { formatEntry } from '../../src/history/format.ts';
import type { MessagesAnswer } from '../support/anthropic/messages.ts';
import { startService } from '../support/service/service.ts';
import { readTranscript } from './transcript.ts';

it('the transcript for users of the planner and executor happens as it says', async () => {
  const service = await startService([]);
  const said: MessagesAnswer[] = [];
  let tracedTo = 0;
  const perform = async (input: string): Promise<string> => {
    const [, who, text = ''] = /^(model|user|trace):? ?(.*)$/.exec(input) ?? [];
    switch (who) {
      case 'model':
        said.push(text.replaceAll('\\n', '\n'));
        return '';
      case 'user':
        service.model.answer(said.splice(0));
        return (await service.say('s1', text)).output ?? '';
      case 'trace': {
        const entries = (await service.trace('s1')).slice(tracedTo);
        tracedTo += entries.length;
        return entries
          .map(formatEntry)
          .join('\n')
          .replaceAll(/task_[0-9a-z]{26}/g, 'task_…');
      }
      default:
        throw new Error(`the transcript has an input that this test does not know: ${input}`);
    }
  };
  const exchanges = readTranscript('test/docs/transcripts/planner-executor.md');
  expect(exchanges.length).toBeGreaterThan(8);
  for (const { input, output } of exchanges) expect({ input, output: await perform(input) }).toEqual({ input, output });
});
