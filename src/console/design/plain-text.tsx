import styles from './plain-text.module.css';

const HEADING = /^#{1,3} +(.+)$/;

/** A text as it is, in which lines that are marked as headings look like headings. Nothing else in it means anything. */
export const PlainText = ({ text }: { text: string }) => (
  <div class={styles.text}>
    {text.split('\n').map((line, index) => {
      const [, heading] = HEADING.exec(line) ?? [];
      if (heading !== undefined) return <strong key={index}>{heading}</strong>;
      return <p key={index}>{line}</p>;
    })}
  </div>
);
