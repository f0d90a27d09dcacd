import { path, send } from '../api/request.ts';
import { FocusedInput, FormDialog } from '../design/form.tsx';
import { shared } from '../text/shared.ts';
import { deleteSessions } from './delete-sessions.ts';
import { texts } from './texts.ts';

interface SessionDialogProps {
  session: string;
  /** Its title in the list. */
  title: string;
  onClose: () => void;
}

/** Names a session. An empty name gives it that of its first input again. */
export const RenameDialog = ({
  session,
  title,
  onClose,
  onRenamed,
}: SessionDialogProps & { onRenamed?: () => void }) => (
  <FormDialog
    title={texts.value.rename(title)}
    submit={shared.value.save}
    onClose={onClose}
    save={async ({ title: name = '' }) => {
      await send(path`/v1/sessions/${session}`, { method: 'PATCH', body: { title: name.trim() || null } });
      onRenamed?.();
    }}
  >
    <FocusedInput
      name="title"
      aria-label={texts.value.name}
      placeholder={texts.value.nameHint}
      maxLength={120}
      defaultValue={title === session ? '' : title}
    />
  </FormDialog>
);

/** Deletes a session once that is confirmed, and soon after; until then it can be taken back. */
export const DeleteDialog = ({
  session,
  title,
  onClose,
  onDeleted,
  onRestored,
}: SessionDialogProps & { onDeleted?: () => void; onRestored?: () => void }) => (
  <FormDialog
    title={texts.value.delete(title)}
    submit={shared.value.delete}
    kind="danger"
    onClose={onClose}
    save={async () => {
      onDeleted?.();
      deleteSessions([{ session_id: session, title }], onRestored);
    }}
  >
    <p>{texts.value.removeHint}</p>
  </FormDialog>
);
