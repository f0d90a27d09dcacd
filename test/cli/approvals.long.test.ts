import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.ts';
import { cli } from '../support/cli/cli-process.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';

const ADA = 'key-of-ada-0123456789';
const FAY = 'key-of-fay-0123456789';

it('an approver lists what waits for them, approves it with another input, and refuses it; others may not', async () => {
  const ran: number[] = [];
  const refund = defineTool({
    name: 'refund',
    description: 'Refunds an order.',
    input: z.object({ euros: z.number() }),
    approvers: ['owner:fay'],
    run: ({ euros }) => {
      ran.push(euros);
      return 'refunded';
    },
  });
  const script = [plan('Refund'), act('refund', '{"euros":50}'), done('Done'), answer('Refunded.')];
  const { url, post } = await startService(
    [...script, ...script],
    { TRIPACT_API_KEYS: `ada:${ADA},fay:${FAY}` },
    { file: { tools: [refund] } },
  );
  const asking = async (session: string) => {
    const body = { input: 'Refund the order' };
    const turn = await post(`/v1/sessions/${session}/turns`, body, { 'x-api-key': ADA });
    return ((await turn.json()) as { approval: { id: string } }).approval.id;
  };
  const as = (key: string, ...words: string[]) => cli([...words, '--url', url], { env: { TRIPACT_API_KEY: key } });

  const first = await asking('s1');
  expect(await as(ADA, 'approvals')).toMatchObject({ code: 0, stdout: '' });
  expect((await as(FAY, 'approvals')).stdout).toMatch(new RegExp(`\\n${first} +ada +.*refund +{"euros":50}`));
  expect(await as(ADA, 'approve', first)).toMatchObject({ code: 1, stderr: expect.stringContaining('no approver') });
  expect(await as(FAY, 'approve', first, '--input', '{"euros":20}')).toMatchObject({ code: 0, stdout: '' });
  await expect.poll(() => ran).toEqual([20]);

  const second = await asking('s2');
  expect(await as(FAY, 'refuse', second, 'paid', 'already')).toMatchObject({ code: 0 });
  expect(await as(FAY, 'approvals')).toMatchObject({ code: 0, stdout: '' });
  expect((await as(ADA, 'trace', 's2')).stdout).toContain('decision.received reject "paid already" by fay (cli)');
  expect(ran).toEqual([20]);
});
