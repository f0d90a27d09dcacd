import type { CallbackGuard } from '../tools/callback-guard.ts';
import { invalidConfig } from './config/read-settings.ts';

/** Stops a start whose webhook could never be posted to. Throws `CONFIG_INVALID`. */
export const assertWebhook = async (
  webhookUrl: string | null,
  guard: Pick<CallbackGuard, 'problem'>,
): Promise<void> => {
  const problem = webhookUrl === null ? null : await guard.problem(webhookUrl, 'TRIPACT_WEBHOOK_URL');
  if (problem !== null) throw invalidConfig([`${problem}.`]);
};
