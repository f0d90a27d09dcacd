import { ApprovalCard } from '../../contracts/http.ts';
import { printable } from '../lib/printable.ts';
import { pathOf } from './client.ts';
import { withService } from './connection.ts';
import { showPage } from './lists.ts';
import type { CliOptions } from './settings.ts';

/** `tripact approvals`: the actions of anybody's tasks that the key's owner may decide, longest waiting first. */
export const showApprovals = (options: CliOptions): Promise<void> =>
  showPage(options, () => ({
    path: 'approvals',
    item: ApprovalCard,
    titles: ['APPROVAL', 'ASKED BY', 'SINCE', 'TOOL', 'ACTION'],
    row: ({ id, owner, since, tool, input, summary }, time) => [id, owner, time(since), tool, summary ?? input],
    none: 'No action waits for you as an approver',
    hint: 'See all of an input with --json; decide with: tripact approve <approval>, or tripact refuse <approval> [reason]',
  }));

const decide = (id: string, decision: object, told: string, options: CliOptions): Promise<void> =>
  withService(options, 'approvals', 'work', async ({ client }) => {
    await client.decide(pathOf('approvals', id, 'decision'), decision);
    console.error(printable(`${told} ${id}`));
  });

/** `tripact approve`: lets an action run, with another input if one is given. */
export const approve = (id: string, { input, ...options }: CliOptions): Promise<void> =>
  decide(id, input === undefined ? { type: 'approve' } : { type: 'edit', input }, 'Approved', options);

/** `tripact refuse`: refuses an action; its task gets the reason. */
export const refuse = (id: string, reason: string[], options: CliOptions): Promise<void> =>
  decide(id, { type: 'reject', ...(reason.length > 0 && { reason: reason.join(' ') }) }, 'Refused', options);
