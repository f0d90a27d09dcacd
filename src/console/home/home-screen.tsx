import { useSignal } from '@preact/signals';
import type { AgentView } from '../../../contracts/agent.ts';
import type { TurnRequest } from '../../../contracts/http.ts';
import { randomId, request } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { allItems, getMe } from '../api/routes.ts';
import { Composer, focusComposer } from '../chat/composer.tsx';
import { outgoingOf } from '../chat/outgoing.ts';
import { PlanFirst, planOptions } from '../chat/plan-first.tsx';
import { Button } from '../design/button.tsx';
import { Icon, type IconName } from '../design/icon.tsx';
import { Boundary, lazy } from '../design/loaded.tsx';
import { Menu, Popover } from '../design/popover.tsx';
import { Inbox } from '../inbox/inbox.tsx';
import { late } from '../state/late.ts';
import { openDraft } from '../state/remembered.ts';
import { navigate, sessionHref } from '../state/route.ts';
import styles from './home.module.css';
import { texts } from './texts.ts';

const loadDemo = late(() => import('../trace-file/demo.ts'));

/** The model that answers; without one, how to get one. */
const Model = ({ name }: { name: string }) => {
  if (name !== 'offline')
    return (
      <span class={`${styles.model} clipped muted small`} title={texts.value.model(name)}>
        <span class="visually-hidden">{texts.value.model('')}</span>
        {name.slice(name.indexOf(':') + 1)}
      </span>
    );
  return (
    <Popover
      label={texts.value.offlineHint}
      content={() => (
        <div class="stack padded">
          <p class="name">{texts.value.offlineHint}</p>
          <p>{texts.value.setKey}</p>
          <pre class="inset">ANTHROPIC_API_KEY=sk-ant-… npx tripact serve</pre>
        </div>
      )}
    >
      {texts.value.offline} <Icon name="down" />
    </Popover>
  );
};

interface AgentChoiceProps {
  agents: readonly AgentView[];
  chosen: AgentView;
  choose: (name: string) => void;
}

/** The agent that works in the new session, where the service has several. */
const AgentChoice = ({ agents, chosen, choose }: AgentChoiceProps) => (
  <Menu
    icon="person"
    kind="normal"
    label={texts.value.agent}
    items={agents.map(({ name, description, model }) => ({
      title: name,
      note: [description, model].filter((part) => part !== '').join(' · '),
      run: () => choose(name),
    }))}
  >
    {texts.value.agentOf(chosen.name)} <Icon name="down" />
  </Menu>
);

interface Example {
  icon: IconName;
  title: string;
  note: string;
  input: string;
}

/** Examples that work with the model that answers. */
const examplesFor = (model: string): Example[] => {
  const words = texts.value;
  const call: Example = { icon: 'mail', title: words.call, note: words.callNote, input: words.call };
  if (model === 'offline')
    return [
      { icon: 'plan', title: words.todos, note: words.todosNote, input: words.todosInput },
      call,
      { icon: 'page', title: words.commands, note: words.commandsNote, input: '/help' },
    ];
  return [
    { icon: 'plan', title: words.move, note: words.moveNote, input: words.moveInput },
    call,
    { icon: 'page', title: words.compare, note: words.compareNote, input: words.compareInput },
  ];
};

/** Where the figures will be, until there is something to count. */
const Demo = () => (
  <section class={styles.demo} aria-label={texts.value.demoTitle}>
    <div>
      <p class="name">{texts.value.demoTitle}</p>
      <p class="muted small">{texts.value.demoHint}</p>
    </div>
    <Button onClick={() => void loadDemo().then(({ openDemo }) => openDemo())}>{texts.value.demo}</Button>
  </section>
);

const HOME_DRAFT = 'home';

/** Length of a new session's name after its prefix. */
const NAME_CHARS = 8;

/** The question, and the field that begins a session, with the model and the agent that will answer. */
const Ask = () => {
  const agent = useSignal('');
  const { value } = useResource(
    async (signal) => ({
      model: (await getMe(signal)).model,
      agents: await allItems<AgentView>('/v1/agents', 'agents', signal),
    }),
    [],
  ).loaded.value;
  const agents = value?.agents ?? [];
  const chosen = agents.find(({ name }) => name === agent.value) ?? agents.find(({ is_default }) => is_default);
  const model = chosen?.model ?? value?.model;
  const begin = (body: TurnRequest & { input: string }, files: readonly File[]): void => {
    const session = `chat-${randomId(NAME_CHARS)}`;
    const own = agents.length > 1 && chosen !== undefined ? { agent: chosen.name } : {};
    outgoingOf(session).send({ ...planOptions(body.input), ...own, ...body }, { files });
    navigate(sessionHref(session));
  };
  const write = (example: string): void => {
    openDraft(HOME_DRAFT).value = example;
    focusComposer();
  };
  return (
    <section class={styles.ask}>
      <h2>{texts.value.ask}</h2>
      <Composer
        draft={HOME_DRAFT}
        mode="goal"
        isFocused
        isTall
        tools={
          <>
            {agents.length > 1 && chosen !== undefined && (
              <AgentChoice
                agents={agents}
                chosen={chosen}
                choose={(name) => {
                  agent.value = name;
                }}
              />
            )}
            <PlanFirst />
          </>
        }
        note={model !== undefined && <Model name={model} />}
        send={begin}
      />
      <ul class={styles.examples} aria-label={texts.value.examples}>
        {model !== undefined &&
          examplesFor(model).map(({ icon, title, note, input }) => (
            <li key={title}>
              <button type="button" class={styles.example} onClick={() => write(input)}>
                <Icon name={icon} />
                <span class="name">{title}</span>
                <span class="muted small">{note}</span>
              </button>
            </li>
          ))}
      </ul>
    </section>
  );
};

/** The place of the figures, as high as they are. */
const NoFigures = () => <div class={styles.figures} />;

const Figures = lazy(async () => (await import('./figures.tsx')).Figures, NoFigures);

/** Figures of the work so far; before the first session, a task to look at. */
const SoFar = () => {
  const { value } = useResource(
    (signal) => request<{ sessions: unknown[] }>('/v1/sessions', { query: { limit: 1 }, signal }),
    [],
  ).loaded.value;
  if (value === undefined) return <NoFigures />;
  return value.sessions.length === 0 ? <Demo /> : <Figures />;
};

/** The start screen: a field for a new session, what happened today, and all that waits. */
export const HomeScreen = () => (
  <main class={styles.home}>
    <div class={styles.page}>
      <Ask />
      <Boundary>
        <SoFar />
      </Boundary>
      <Boundary>
        <Inbox />
      </Boundary>
    </div>
  </main>
);
