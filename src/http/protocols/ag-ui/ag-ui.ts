import type { Event, EventType } from '@ag-ui/core';
import type { Problem } from '../../../../contracts/http.ts';
import type { Protocol } from '../port.ts';

type PlainOf<Member> = Member extends { type: EventType }
  ? Omit<Member, 'type'> & { type: `${Member['type']}` }
  : never;

/** An event of AG-UI 1.0 as plain data. */
export type AgUiEvent = PlainOf<Event>;

/** A problem as the event that ends a run. */
export const runError = ({ type, detail }: Pick<Problem, 'type' | 'detail'>): AgUiEvent & { type: 'RUN_ERROR' } => ({
  type: 'RUN_ERROR',
  message: detail,
  code: type
    .slice(type.lastIndexOf('/') + 1)
    .replaceAll('-', '_')
    .toUpperCase(),
});

/** AG-UI, the protocol of CopilotKit and others. A run that is refused before it starts gets an HTTP status, with the error that would have ended it. */
export const agUi: Protocol = {
  routes: { run: 'POST /agui' },
  refuse: (problem, _request, reply) => reply.code(problem.status).send(runError(problem)),
  load: () => import('./handlers.ts'),
};
