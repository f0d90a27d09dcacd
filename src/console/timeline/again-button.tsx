import { Opens } from '../design/dialog.tsx';
import { lazy } from '../design/loaded.tsx';
import { againTexts } from './again-texts.ts';
import type { CallEffect } from './prompt-call.ts';

const AgainDialog = lazy(async () => (await import('./again-dialog.tsx')).AgainDialog);

/** Opens a recorded model call to be made again. */
export const AgainButton = ({ of }: { of: CallEffect }) => (
  <Opens
    size="small"
    icon="replan"
    aria-haspopup="dialog"
    dialog={(close) => <AgainDialog key={of.effect} of={of} onClose={close} />}
  >
    {againTexts.value.open}
  </Opens>
);
