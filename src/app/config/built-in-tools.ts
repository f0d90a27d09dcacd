/** The tools that come with the service, by name: what `TRIPACT_TOOLS` chooses from (SPEC 8). */
export const BUILT_IN_TOOLS = [
  'todo',
  'view',
  'schedule',
  'planning',
  'internet_search',
  'files',
  'coding_agent',
] as const;

export type BuiltInTool = (typeof BUILT_IN_TOOLS)[number];
