import { Button } from '../design/button.tsx';
import { Empty } from '../design/notice.tsx';
import { openNewSession } from '../sessions/new-session.ts';
import { Lists, Panes } from './panes.tsx';
import { shell } from './texts.ts';

const Welcome = () => (
  <Empty title={shell.value.welcome}>
    <p>{shell.value.welcomeHint}</p>
    <Button kind="primary" onClick={openNewSession}>
      {shell.value.begin}
    </Button>
  </Empty>
);

/** The inbox and the sessions, with none chosen. */
export const HomeScreen = () => <Panes view="list" left={<Lists session={null} />} middle={<Welcome />} />;
