import type { ComponentChildren } from 'preact';
import { Icon } from '../design/icon.tsx';
import styles from './files.module.css';

interface FileChipProps {
  name: string;
  isImage: boolean;
  /** In words. */
  size: string;
  /** The actions that it offers. */
  children?: ComponentChildren;
}

/** A file by its name and size. */
export const FileChip = ({ name, isImage, size, children }: FileChipProps) => (
  <span class={`${styles.file} small`}>
    <Icon name={isImage ? 'image' : 'page'} />
    <span class="clipped" dir="auto">
      {name}
    </span>
    <span class="muted">{size}</span>
    {children}
  </span>
);
