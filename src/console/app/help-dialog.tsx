import { Dialog } from '../design/dialog.tsx';
import styles from './help-dialog.module.css';
import { isHelpOpen, shortcuts } from './shortcuts.ts';
import { shell } from './texts.ts';

/** The keys that work everywhere; shown by "?". */
export const HelpDialog = () =>
  isHelpOpen.value ? (
    <Dialog
      title={shell.value.shortcuts}
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <dl class={styles.keys}>
        {shortcuts.map(({ key, text }) => (
          <div key={key}>
            <dt>
              <kbd>{key === 'Escape' ? 'Esc' : key}</kbd>
            </dt>
            <dd>{text()}</dd>
          </div>
        ))}
      </dl>
      <p class={styles.hint}>{shell.value.keyEnter}</p>
    </Dialog>
  ) : null;
