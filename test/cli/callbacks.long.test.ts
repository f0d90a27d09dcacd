import { expect, it } from 'vitest';
import { cli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';
import { LOCAL_RECEIVER, startReceiver } from '../support/service/receiver.ts';

it('callbacks lists what a receiver did not want, and sends it again', async () => {
  const receiver = await startReceiver();
  receiver.refuseNext(410);
  const cwd = temporaryFolder();
  const env = { ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url };
  const { url } = await startServe({ cwd, env });
  expect(await cli(['run', '/todo list'], { cwd, env })).toMatchObject({ code: 0 });
  const [post] = await receiver.posts(1);
  const listed = async (words: string[] = []) => (await cli(['callbacks', ...words], { cwd, env })).stdout;
  const row = new RegExp(`^CALLBACK .*\\n${post?.id} +turn.finished +webhook +given_up +1 +\\S+ \\S+ +HTTP 410\\n$`);
  await expect.poll(() => listed(['--state', 'given_up'])).toMatch(row);
  expect(await listed(['--url', url])).toBe(await listed());
  expect(await cli(['callbacks', 'resend', String(post?.id)], { cwd, env })).toMatchObject({
    code: 0,
    stderr: 'turn.finished is posted again to the webhook\n',
  });
  expect((await receiver.posts(2))[1]).toMatchObject({ id: post?.id, text: post?.text });
  expect(await cli(['callbacks', 'resend', 'nothing'], { cwd, env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no callback of that id'),
  });
});
