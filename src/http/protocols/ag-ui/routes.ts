import type { Protocol } from '../port.ts';

/** AG-UI, the protocol of CopilotKit and others. */
export const agUi: Protocol = {
  routes: [{ method: 'POST', url: '/agui', handler: 'run' }],
  load: () => import('./ag-ui.ts'),
};
