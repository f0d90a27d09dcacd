import type { LimitRow } from './limit-row.ts';
import {
  INPUT_BYTES_MAX,
  MCP_MESSAGE_BYTES_MAX,
  MCP_MESSAGE_VALUES_MAX,
  NAMED_PLANS_MAX,
  OBSERVATIONS_KEPT,
  PAST_ITEMS_KEPT,
  REMINDERS_MAX,
  REPEATING_EVENTS_MAX,
  SCHEDULE_EVENTS_MAX,
  TODOS_MAX,
} from './limits.ts';

/** Limits that nobody sets otherwise: stored data and prompts rely on them. */
export const fixedLimits = {
  input_bytes: {
    scope: 'request',
    unit: 'bytes',
    limit: INPUT_BYTES_MAX,
    at_limit: '413',
    reason: 'A turn is a message, not a file.',
  },
  mcp_message_bytes: {
    scope: 'request',
    unit: 'bytes',
    limit: MCP_MESSAGE_BYTES_MAX,
    at_limit: 'refused',
    reason: 'A message of an MCP server is parsed as a whole; the call fails and the connection is opened anew.',
  },
  mcp_message_values: {
    scope: 'request',
    unit: 'values',
    limit: MCP_MESSAGE_VALUES_MAX,
    at_limit: 'refused',
    reason: 'A message of an MCP server is validated as a whole; a result is cut to far fewer characters.',
  },
  named_plans: {
    scope: 'session',
    unit: 'plans',
    limit: NAMED_PLANS_MAX,
    at_limit: 'refused',
    reason: 'Each list shows all of them.',
  },
  todos: {
    scope: 'owner',
    unit: 'todos',
    limit: TODOS_MAX,
    at_limit: 'refused',
    reason: 'Each list sorts all of them, done ones too.',
  },
  schedule_events: {
    scope: 'owner',
    unit: 'events',
    limit: SCHEDULE_EVENTS_MAX,
    at_limit: 'refused',
    reason: 'Each list reads all of them, past ones too.',
  },
  repeating_events: {
    scope: 'owner',
    unit: 'events',
    limit: REPEATING_EVENTS_MAX,
    at_limit: 'refused',
    reason: 'Each view computes the times of all of them.',
  },
  reminders: {
    scope: 'owner',
    unit: 'reminders',
    limit: REMINDERS_MAX,
    at_limit: 'refused',
    reason: 'Each that is still to come is an event that the service writes.',
  },
  observations: {
    scope: 'task',
    unit: 'observations',
    limit: OBSERVATIONS_KEPT,
    at_limit: 'oldest_dropped',
    reason: 'Older ones are in the trace, and no prompt shows so many.',
  },
  past_items: {
    scope: 'task',
    unit: 'plan items',
    limit: PAST_ITEMS_KEPT,
    at_limit: 'oldest_dropped',
    reason: 'More than a task of usual limits can end.',
  },
} as const satisfies Record<string, LimitRow>;
