import type { ComponentChildren } from 'preact';
import type { ForkPreview, PreviewedEffect } from '../../../contracts/turn-view.ts';
import styles from './fork.module.css';
import { texts } from './texts.ts';

/** Tools one by one, and the model calls as a number: those alone change nothing. */
const Effects = ({ effects, mark, isOver }: { effects: readonly PreviewedEffect[]; mark: string; isOver?: true }) => {
  const tools = effects.filter(({ tool }) => tool !== null);
  const models = effects.length - tools.length;
  return (
    <ul class={styles.effects}>
      {tools.map(({ effect_id, tool, input, writes }) => (
        <li key={effect_id}>
          <span aria-hidden="true">{mark}</span> <code>{tool}</code> <span class={styles.toolInput}>{input}</span>
          {writes && isOver !== true && <span class={styles.writes}>{texts.value.writes}</span>}
        </li>
      ))}
      {models > 0 && (
        <li>
          <span aria-hidden="true">{mark}</span> {texts.value.models(models)}
        </li>
      )}
    </ul>
  );
};

const Part = ({ name, title, children }: { name: string; title: string; children: ComponentChildren }) => (
  <section class={`${styles.part} ${styles[name] ?? ''}`} data-part={name}>
    <h3>{title}</h3>
    {children}
  </section>
);

/** The preview of a fork: recalled, done again, and left behind. */
export const Preview = ({ preview: { recalled, performed, left } }: { preview: ForkPreview }) => (
  <div class={styles.parts}>
    <Part name="recalled" title={texts.value.recalled(recalled.length)}>
      <Effects effects={recalled} mark="✓" isOver />
    </Part>
    {performed.length > 0 && (
      <Part name="performed" title={texts.value.performed}>
        <Effects effects={performed} mark="↻" />
      </Part>
    )}
    {left.length > 0 && (
      <Part name="left" title={texts.value.left(left.length)}>
        <Effects effects={left} mark="✎" />
        <p class={styles.hint}>{texts.value.leftHint}</p>
      </Part>
    )}
  </div>
);
