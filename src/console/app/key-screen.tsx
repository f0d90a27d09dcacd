import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { apiKey, giveKey, isFrontEndsKey } from '../api/key.ts';
import { Button } from '../design/button.tsx';
import styles from './app.module.css';
import { shell } from './texts.ts';

/** Asks for an API key, where the service wants one. It is kept in this tab's memory alone. */
export const KeyScreen = () => {
  const key = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const wasRefused = apiKey.value !== null;
  return (
    <main class={styles.screen}>
      <form
        class={styles.key}
        onSubmit={(event) => {
          event.preventDefault();
          giveKey(key.value.trim());
        }}
      >
        <h2>{shell.value.keyTitle}</h2>
        <p id="key-hint">{shell.value.keyHint}</p>
        {wasRefused && (
          <p class={styles.refused} role="alert">
            {isFrontEndsKey.value ? shell.value.keyOfFrontEnd : shell.value.keyRefused}
          </p>
        )}
        <input
          ref={field}
          id="api-key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-label={shell.value.keyTitle}
          aria-describedby="key-hint"
          value={key.value}
          onInput={(event) => {
            key.value = event.currentTarget.value;
          }}
        />
        <Button kind="primary" type="submit" disabled={key.value.trim() === ''}>
          {shell.value.keyUse}
        </Button>
      </form>
    </main>
  );
};
