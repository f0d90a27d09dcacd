import type { Event, EventType } from '@ag-ui/core';
import type { Problem } from '../../../../contracts/http.ts';
import { codeIn } from '../request.ts';

type PlainOf<Member> = Member extends { type: EventType }
  ? Omit<Member, 'type'> & { type: `${Member['type']}` }
  : never;

/** An event of AG-UI 1.0 as plain data. */
export type AgUiEvent = PlainOf<Event>;

/** A problem as the event that ends a run. */
export const runError = (problem: Problem): AgUiEvent & { type: 'RUN_ERROR' } => ({
  ...{ type: 'RUN_ERROR', message: problem.detail, code: codeIn(problem).toUpperCase() },
});
