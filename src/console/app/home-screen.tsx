import { Empty } from '../design/empty.tsx';
import { Lists } from './lists.tsx';
import { Panes } from './panes.tsx';
import { shell } from './texts.ts';

/** The inbox and the sessions, with none chosen. */
export const HomeScreen = () => (
  <Panes view="list" left={<Lists session={null} />} middle={<Empty title={shell.value.welcome} />} />
);
