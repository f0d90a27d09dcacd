import { useSignal } from '@preact/signals';
import type { NamedPlan, NamedPlanSummary } from '../../../contracts/named-plan.ts';
import { path, randomId, request } from '../api/request.ts';
import { listsChanged, useResource } from '../api/resource.ts';
import { KEY_CHARS } from '../api/routes.ts';
import { Dialog } from '../design/dialog.tsx';
import { Field, Form } from '../design/form.tsx';
import { Loaded } from '../design/loaded.tsx';
import { texts } from './texts.ts';

/** A name in braces; in double braces it is none, and stands for itself (SPEC 10). */
const PLACE_IN_TEXT = /\{\{[\p{L}_][\p{L}\p{N}_-]{0,63}\}\}|\{(?<name>[\p{L}_][\p{L}\p{N}_-]{0,63})\}/gu;

/** The names of the places in a plan that are filled in when it runs, each once. */
const placesOf = ({ title, steps }: NamedPlan): string[] => {
  const texts = [title, ...steps.map(({ step }) => step)];
  return [
    ...new Set(
      texts.flatMap((text) => [...text.matchAll(PLACE_IN_TEXT)].flatMap(({ groups }) => groups?.['name'] ?? [])),
    ),
  ];
};

/** Prefix of the fields of a plan's places, whose names anybody chose. */
const PLACE = 'place.';

/** Runs one of the session's named plans as a task, with its places filled in. */
export const RunPlanDialog = ({ session, onClose }: { session: string; onClose: () => void }) => {
  const chosen = useSignal('');
  const plans = useResource(
    async (signal) =>
      (await request<{ plans: NamedPlanSummary[] }>(path`/v1/sessions/${session}/plans`, { signal })).plans,
    [session],
  );
  const known = plans.loaded.value.value ?? [];
  const id = chosen.value || (known.find(({ active }) => active) ?? known[0])?.plan_id;
  const plan = useResource(
    async (signal) =>
      id === undefined ? null : request<NamedPlan>(path`/v1/sessions/${session}/plans/${id}`, { signal }),
    [session, id],
  );
  const run = async (fields: Record<string, string>): Promise<void> => {
    const places = Object.entries(fields).filter(([name]) => name.startsWith(PLACE));
    const values = Object.fromEntries(places.map(([name, value]) => [name.slice(PLACE.length), value]));
    await request(path`/v1/sessions/${session}/plans/${id ?? ''}/run`, {
      method: 'POST',
      body: { values },
      headers: { prefer: 'respond-async', 'idempotency-key': randomId(KEY_CHARS) },
    });
    listsChanged();
    onClose();
  };
  return (
    <Dialog title={texts.value.runPlan} onClose={onClose}>
      <Loaded from={plans.loaded.value} onRetry={plans.reload}>
        {(all) =>
          all.length === 0 ? (
            <p class="muted">{texts.value.noPlans}</p>
          ) : (
            <Form save={run} submit={texts.value.run} onCancel={onClose}>
              <Field title={texts.value.namedPlan}>
                <select
                  value={id}
                  onInput={({ currentTarget }) => {
                    chosen.value = currentTarget.value;
                  }}
                >
                  {all.map(({ plan_id, title }) => (
                    <option key={plan_id} value={plan_id}>
                      {title}
                    </option>
                  ))}
                </select>
              </Field>
              <Loaded from={plan.loaded.value} onRetry={plan.reload}>
                {(shown) =>
                  shown !== null && (
                    <>
                      <ol class="stack">
                        {shown.steps.map(({ step }, place) => (
                          <li key={place} class="muted" dir="auto">
                            {place + 1}. {step}
                          </li>
                        ))}
                      </ol>
                      {placesOf(shown).map((name) => (
                        <Field key={name} name={`${PLACE}${name}`} title={name} required />
                      ))}
                    </>
                  )
                }
              </Loaded>
            </Form>
          )
        }
      </Loaded>
    </Dialog>
  );
};
