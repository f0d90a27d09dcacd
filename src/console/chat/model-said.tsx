import { useResource } from '../api/resource.ts';
import { getCalls, listCalls } from '../api/service-routes.ts';
import { Loaded } from '../design/loaded.tsx';

import { texts } from './texts.ts';

/** The model's last words to a task, or why it said nothing, word for word. */
export const ModelSaid = ({ task }: { task: string }) => {
  const said = useResource(
    async (signal) => {
      const last = (await listCalls(task, signal)).at(-1);
      return last === undefined ? [] : getCalls(task, last.effect_id, signal);
    },
    [task],
  );
  return (
    <Loaded from={said.loaded.value} onRetry={said.reload}>
      {(calls) =>
        calls.length === 0 ? (
          texts.value.notKept
        ) : (
          <pre class="inset" dir="auto">
            {calls.map(({ answer, failure }) => answer ?? failure).join('\n\n')}
          </pre>
        )
      }
    </Loaded>
  );
};
