import type { PendingApproval } from '../../../contracts/turn-view.ts';
import { shared } from '../text/shared.ts';

/** The title of an action: the words of its policy, else its tool. */
export const actionTitle = ({ tool, summary }: Pick<PendingApproval, 'tool' | 'summary'>): string =>
  summary ?? shared.value.approvalTitle(tool);
