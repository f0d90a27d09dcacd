import styles from './chat.module.css';
import { commandTexts } from './slash-commands.ts';
import { texts } from './texts.ts';

interface CommandListProps {
  id: string;
  commands: readonly string[];
  /** The index of the one that Enter takes. */
  chosen: number;
  onChoose: (command: string) => void;
}

/** The slash commands that a text may become. The field above it keeps the focus. */
export const CommandList = ({ id, commands, chosen, onChoose }: CommandListProps) => (
  <div class={styles.commands} id={id} role="listbox" aria-label={texts.value.commands}>
    {commands.map((command, index) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen option.
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
      <div
        key={command}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === chosen}
        class={styles.command}
        onClick={() => onChoose(command)}
      >
        <code>{command}</code>
        <span>{(commandTexts.value as Record<string, string>)[command]}</span>
      </div>
    ))}
  </div>
);
