import type { GoalView } from '../../../contracts/goal.ts';
import { useChange } from '../api/resource.ts';
import { deleteGoal, listGoals } from '../api/service-routes.ts';
import { Link } from '../app/link.tsx';
import { sessionHref } from '../app/parse-route.ts';
import { Button } from '../design/button.tsx';
import design from '../design/design.module.css';
import { Empty, Refusal } from '../design/notice.tsx';
import { Time } from '../design/time.tsx';
import { LoadedPart, Table } from './loaded-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';

const Goals = ({ goals, reload }: { goals: readonly GoalView[]; reload: () => void }) => {
  const { problem, change } = useChange(reload);
  if (goals.length === 0)
    return (
      <Empty title={texts.value.noGoals}>
        <p>{texts.value.noGoalsHint}</p>
      </Empty>
    );
  return (
    <div class={styles.part}>
      <Refusal error={problem.value} />
      <Table
        label={texts.value.goals}
        columns={[texts.value.goal, texts.value.session, texts.value.nextTime, texts.value.repeats, '']}
      >
        {goals.map(({ id, goal, session_id, due_at, rule, interval_minutes }) => (
          <tr key={id}>
            <th scope="row">{goal}</th>
            <td>
              <Link href={sessionHref(session_id)}>{session_id}</Link>
            </td>
            <td>
              <Time at={due_at} />
            </td>
            <td>{rule ?? (interval_minutes === null ? '' : texts.value.everyMinutes(interval_minutes))}</td>
            <td class={design.buttons}>
              <Button kind="danger" onClick={() => void change(() => deleteGoal(id))}>
                {texts.value.deleteGoal}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
};

/** The list of the user's goals on a schedule. */
export const GoalsPart = () => (
  <LoadedPart load={listGoals}>{(goals, reload) => <Goals goals={goals} reload={reload} />}</LoadedPart>
);
