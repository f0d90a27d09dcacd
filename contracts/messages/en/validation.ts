import type { z } from 'zod';

/** What is wrong with a value that its schema refuses, as what it must be. Never quotes the value. */
export const validation = {
  issue: (issue: z.core.$ZodIssue): string => issue.message.replace(/^Invalid \w+: /, ''),
  /** Rules that hold between fields; a schema names its rule by `rule()`. */
  rules: {
    notBlank: () => 'must not be empty',
    statusRequires: (status: string, field: string) => `status "${status}" requires ${field}`,
    statusLeavesNull: (status: string, field: string) => `status "${status}" must leave ${field} null`,
    replannedRequiresPlan: () => 'status "replanned" requires a non-empty plan',
    doneRequiresResponse: () => 'status "done" requires a response',
    titleOrSteps: () => 'must have a title or steps',
    statusOrNotes: () => 'must have a status or notes',
    stepStatusOrNotes: () => 'must have a step_status or step_notes',
  },
};
