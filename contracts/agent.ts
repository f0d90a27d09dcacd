import { z } from 'zod';

/** Most agents of a service: metrics and addresses have their names. */
export const AGENTS_MAX = 50;

/** An agent of the service as the API shows it (SPEC 8). Its instructions stay the operator's. */
export const AgentView = z.object({
  name: z.string(),
  /** Its purpose; empty: none is stated. */
  description: z.string(),
  /** Sessions that name no agent get it. */
  is_default: z.boolean(),
  /** The model that works for it, as usage names it. */
  model: z.string(),
  /** Names of the tools that its tasks have now. */
  tools: z.array(z.string()),
  /** Names of the skills that its tasks can read. */
  skills: z.array(z.string()),
});
export type AgentView = z.infer<typeof AgentView>;
