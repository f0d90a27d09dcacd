import { z } from 'zod';
import { checked } from '../../../../contracts/checked.ts';

/** JSON-RPC's code of a call whose parameters are not what they have to be. */
const INVALID_PARAMS = -32602;

/** How a client of the earlier era begins, as far as it has to say what it is. */
const Initialize = z.looseObject({
  protocolVersion: z.string(),
  capabilities: z.looseObject({}),
  clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
});

/** The error of a first call that does not say rightly who calls, which the library takes for a fault of the service; null for any other. */
export const initializeFault = (body: unknown): { code: number; message: string } | null => {
  const { method, params } = Object(body) as { method?: unknown; params?: unknown };
  if (method !== 'initialize') return null;
  const read = checked(Initialize, params);
  if (read.success) return null;
  const fields = read.error.issues.map(({ path, message }) => `${['params', ...path].join('.')}: ${message}`);
  return { code: INVALID_PARAMS, message: `Invalid params for initialize: ${fields.join('; ')}` };
};
