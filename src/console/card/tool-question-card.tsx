import type { TurnRequest } from '../../../contracts/http.ts';
import type { ToolQuestionView } from '../../../contracts/tool-question.ts';
import { openDraft } from '../state/remembered.ts';
import styles from './card.module.css';
import { Act, Card, CardFoot } from './card.tsx';
import { answerToForm } from './form-answer.ts';
import { readRows, rowsOf } from './input-rows.ts';
import { InputFields } from './input-view.tsx';
import { texts } from './texts.ts';

interface ToolQuestionProps {
  asked: ToolQuestionView;
  send: (body: TurnRequest) => void;
}

/** Declines in any language of the task (SPEC 6). */
const DECLINE = 'decline';

/** The server's own words, which nobody vouches for. */
const ItsWords = ({ message }: { message: string }) =>
  message === '' ? null : (
    <div class={styles.more}>
      <blockquote class={styles.quote} dir="auto" aria-label={texts.value.itsWords}>
        {message}
      </blockquote>
    </div>
  );

const Decline = ({ send }: Pick<ToolQuestionProps, 'send'>) => (
  <Act kind="quiet" class={styles.last} onClick={() => send({ input: DECLINE })}>
    {texts.value.decline}
  </Act>
);

/** The fields that a server asks for, by its schema. */
const FormCard = ({ asked, send }: ToolQuestionProps) => {
  const { id, tool, server, message, schema = { type: 'object', properties: {}, required: [] } } = asked;
  const draft = openDraft(`form.${id}`);
  const typed = draft.value === '' ? {} : (JSON.parse(draft.value) as Record<string, string>);
  const defaults = Object.entries(schema.properties).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default] as const],
  );
  const rows = rowsOf(Object.fromEntries(defaults), schema, true);
  const { value, faults } = readRows(rows, typed);
  const title = texts.value.toolAsks(server);
  return (
    <Card label={title} title={title} tool={tool}>
      <ItsWords message={message} />
      <InputFields
        rows={rows}
        typed={typed}
        faults={faults}
        set={(name, text) => {
          draft.value = JSON.stringify({ ...typed, [name]: text });
        }}
      />
      <CardFoot>
        <Act
          kind="primary"
          disabled={faults.size > 0}
          onClick={() => {
            send({ input: answerToForm(schema, value) });
            draft.value = '';
          }}
        >
          {texts.value.send}
        </Act>
        <Decline send={send} />
      </CardFoot>
    </Card>
  );
};

/** A page that a server sends its user to. Only the user's own click opens it, in a tab of its own. */
const LinkCard = ({ asked, send }: ToolQuestionProps) => {
  const { kind, tool, server, message, url = '', host = '' } = asked;
  const { linkTitle, signInTitle, opensAt, openPage, isDone, goesOnItself } = texts.value;
  const title = (kind === 'sign_in' ? signInTitle : linkTitle)(server);
  const isWebPage = /^https?:\/\//i.test(url);
  return (
    <Card label={title} title={title} tool={tool}>
      <ItsWords message={message} />
      <p class={styles.lead}>
        {opensAt} <strong dir="ltr">{host}</strong>
      </p>
      {kind === 'sign_in' && <p class={`${styles.who} muted small`}>{goesOnItself}</p>}
      <CardFoot>
        {isWebPage && (
          <a class={styles.primaryLink} href={url} target="_blank" rel="noopener noreferrer">
            {openPage(host)}
          </a>
        )}
        {kind === 'link' && <Act onClick={() => send({ input: 'done' })}>{isDone}</Act>}
        <Decline send={send} />
      </CardFoot>
    </Card>
  );
};

/** A question of a tool's server to its user in the middle of a call. */
export const ToolQuestionCard = (props: ToolQuestionProps) =>
  props.asked.kind === 'form' ? <FormCard {...props} /> : <LinkCard {...props} />;
