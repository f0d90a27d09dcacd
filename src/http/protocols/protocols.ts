import type { ProtocolName } from '../../app/config/protocol-names.ts';
import { a2a } from './a2a/routes.ts';
import { agUi } from './ag-ui/routes.ts';
import { aiSdk } from './ai-sdk/routes.ts';
import { mcp } from './mcp/routes.ts';
import { openai } from './openai/routes.ts';
import type { Protocol } from './port.ts';

/** Every protocol by its name. */
export const protocols: Record<ProtocolName, Protocol> = {
  openai,
  'ai-sdk': aiSdk,
  mcp,
  a2a,
  'ag-ui': agUi,
};
