import { Button } from '../design/button.tsx';
import { lazy } from '../design/loaded.tsx';
import { showTaskDialog, taskDialog } from '../state/selection.ts';
import { againTexts } from './again-texts.ts';
import type { CallEffect } from './prompt-call.ts';

const AgainDialog = lazy(async () => (await import('./again-dialog.tsx')).AgainDialog);

/** Opens a recorded model call to be made again. The address says that it is open, so a reload opens it again. */
export const AgainButton = ({ of }: { of: CallEffect }) => (
  <>
    <Button size="small" icon="replan" aria-haspopup="dialog" onClick={() => showTaskDialog('again')}>
      {againTexts.value.open}
    </Button>
    {taskDialog.value === 'again' && <AgainDialog key={of.effect} of={of} onClose={() => showTaskDialog(null)} />}
  </>
);
