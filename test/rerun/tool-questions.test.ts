import { expect, it } from 'vitest';
import type { RerunLane } from '../../contracts/rerun.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import { readRecording } from '../../src/rerun/recording.ts';
import { scriptedModel } from '../../src/testing/testing.ts';
import { acts, concludes, finishes, plans } from '../support/engine/model-answers.ts';
import { createAskingServer, type Desk } from '../support/mcp/asking-server.ts';
import { serveSample } from '../support/mcp/http-server.ts';
import { rerunOffline } from '../support/rerun/rerun-offline.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';
import { startWithMail } from '../support/sign-in/mail-service.ts';

/** The same model again on a recorded task, without the server whose tool it calls. */
const again = async (trace: readonly TraceEntry[], script: object[]): Promise<RerunLane> => {
  const { tasks } = await rerunOffline(await readRecording(trace), { again: scriptedModel(script as never) });
  return tasks[0]!.lanes.find(({ lane }) => lane === 'again')!;
};

it("a server's form and page are answered in a rerun as they were recorded, and no server is called", async () => {
  const desk: Desk = { booked: [] };
  const server = await serveSample({}, () => createAskingServer(desk));
  const script = [plan('Book'), act('desk_book', '{"table":"T4"}'), done(), answer('Booked.')];
  const service = await startService(script, {}, { file: { mcpServers: { desk: { url: server.url } } } });
  await service.say('s1', 'Book a table');
  await service.say('s1', 'day: Friday\nseats: 9');
  await service.say('s1', 'day: Friday\nseats: 2');
  expect(await service.say('s1', 'done')).toMatchObject({ output: 'Booked.' });
  const calls = server.asked.filter((method) => method === 'tools/call').length;
  const lane = await again(await service.trace('s1'), [
    plans('Book'),
    acts('desk_book', '{"table":"T4"}'),
    finishes(),
    concludes('Booked.'),
  ]);
  expect(lane).toMatchObject({ same: true, ended: null, first_difference: null, response: 'Booked.' });
  expect(lane.writes).toEqual([{ tool: 'desk_book', input: '{"table":"T4"}' }]);
  expect(server.asked.filter((method) => method === 'tools/call')).toHaveLength(calls);
});

it('a sign-in is taken as done in a rerun, without a browser or a token', async () => {
  const { mail, service, signIn } = await startWithMail();
  const { tool_question } = await service.say('s1', 'Mail Bob');
  await signIn(tool_question?.url);
  await expect.poll(() => service.get('/v1/sessions/s1/turns')).toMatchObject({ turns: [{ output: 'Sent.' }, {}] });
  const lane = await again(await service.trace('s1'), [
    plans('Send it'),
    acts('mail_send', '{"to":"bob"}'),
    finishes(),
    concludes('Sent.'),
  ]);
  expect(lane).toMatchObject({ same: true, ended: null, first_difference: null, response: 'Sent.' });
  expect(mail.sent).toEqual(['ada to bob']);
});
