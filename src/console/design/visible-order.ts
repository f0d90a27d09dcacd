import { type ComponentChildren, options } from 'preact';

/** Invisible characters that display the text after them in another order: those that a terminal omits. */
const REORDERING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** A text with such characters as codes, in its logical order, so that whoever approves it sees what runs. */
export const visibleOrder = (text: string): string =>
  text.replace(REORDERING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

const shown = (children: ComponentChildren): ComponentChildren => {
  if (typeof children === 'string') return visibleOrder(children);
  return Array.isArray(children) ? children.map(shown) : children;
};

/** Makes every element of the page show its texts so, whoever wrote them. Never changes the value of a field. */
export const showOrderEverywhere = (): void => {
  const { vnode: before } = options;
  options.vnode = (vnode) => {
    const { type, props } = vnode as { type: unknown; props: { children?: ComponentChildren; title?: unknown } };
    if (typeof type === 'string') {
      props.children = shown(props.children);
      if (typeof props.title === 'string') props.title = visibleOrder(props.title);
    }
    before?.(vnode);
  };
};
