import type { ComponentChildren } from 'preact';
import { navigate } from './route.ts';

interface LinkProps {
  href: string;
  class?: string | undefined;
  title?: string;
  'aria-current'?: 'page' | 'true' | undefined;
  'aria-label'?: string;
  /** One of a list, which j and k go through. */
  'data-row'?: boolean;
  children?: ComponentChildren;
}

/** A link within the console: opened in place, or by the browser where its user asks for a new tab. */
export const Link = ({ href, children, ...rest }: LinkProps) => {
  const open = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a {...rest} href={href} onClick={open}>
      {children}
    </a>
  );
};
