import type { Protocol } from '../port.ts';
import { runError } from './event.ts';

/** AG-UI, the protocol of CopilotKit and others. A run that is refused before it starts gets an HTTP status, with the error that would have ended it. */
export const agUi: Protocol = {
  routes: [{ method: 'POST', url: '/agui', handler: 'run' }],
  refuse: (problem, _request, reply) => reply.code(problem.status).send(runError(problem)),
  load: () => import('./handlers.ts'),
};
