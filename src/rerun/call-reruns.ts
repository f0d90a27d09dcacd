/**
 * One recorded model call, made again: with an edited prompt, or by another model. The answer is read as the task would have
 * read it, and is shown beside the recorded one. The task does not change, nothing is stored, and no tool runs.
 */
import type { CallPrompt, CallRerun, CallRerunRequest, JudgedAnswer } from '../../contracts/call-rerun.ts';
import type { AttachedFile } from '../../contracts/file.ts';
import { effectId } from '../../contracts/ids.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { ModelCall } from '../../contracts/model-call.ts';
import type { TaskContext } from '../../contracts/task.ts';
import type { Prices } from '../../contracts/usage.ts';
import { dueBy } from '../../machines/model-effects.ts';
import { ServiceError, unless } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { type FilesToShow, type GivenPrompt, type Model, type ModelRequest, ModelUnavailable } from '../models/port.ts';
import { textOf } from '../models/prompt/prompt-text.ts';
import type { SessionsApi } from '../runtime/port.ts';
import { editPrompt, isEdited, type RebuiltPrompt, rebuildPrompt, voiceOf } from './call-prompt.ts';
import { judgeAnswer, noAnswer, recordedAnswer } from './judged-answer.ts';
import { type Budget, usageOf } from './lane-model.ts';
import type { LabAgent } from './port.ts';
import { type RecordedCall, readRecordedCall } from './recorded-call.ts';

/** A model call, by the address of its effect, and who asks for it. */
export interface AskedCall {
  readonly owner: string;
  readonly task_id: string;
  readonly effect_id: string;
  /** Any model that the service can reach may answer, not just those that its configuration names. */
  readonly isAnyModel: boolean;
}

/** The models that may answer a call again. */
export interface CallModels {
  /** The names in the configuration, the standard one first. */
  readonly names: readonly [string, ...string[]];
  /** A model by its name. Throws `INVALID_REQUEST` for one that may not be asked, or cannot be. */
  byName(name: string, isAnyModel: boolean): Promise<Model>;
}

/** The files that prompts of a session name. */
export interface CallFiles {
  isThere(file: AttachedFile): Promise<boolean>;
  /** Absent: models get the names alone. */
  show?: FilesToShow;
}

/** Makes recorded calls again, for callers who may read and write the session. */
export interface CallReruns {
  /** The prompt of a call as it would be sent to a model; absent: to the recorded one. Asks no model. */
  prompt(call: AskedCall, model: string | undefined): Promise<CallPrompt>;
  /**
   * Asks a model. Rejects with the signal's reason when that aborts. Throws `TASK_NOT_FOUND`, `CALL_NOT_FOUND`,
   * `INVALID_REQUEST`, `QUOTA_EXHAUSTED` and `MODEL_NOT_CONFIGURED`. An answer that does not come is no error.
   */
  run(call: AskedCall, request: CallRerunRequest, signal: AbortSignal): Promise<CallRerun>;
}

interface Parts {
  engine: Pick<SessionsApi, 'task' | 'session' | 'taskTrace' | 'callsOfEffect'>;
  /** The agent of a task as it is today. */
  agentOf(task: Pick<TaskContext, 'agent'>): Omit<LabAgent, 'hashes'>;
  models: CallModels;
  /** Does work with the files of a session. */
  withFiles<Result>(
    owner: string,
    task: TaskContext,
    signal: AbortSignal | null,
    work: (files: CallFiles) => Promise<Result>,
  ): Promise<Result>;
  budgetOf(owner: string): Budget;
  prices: Prices | null;
  /** Hides secrets in a text for people. */
  mask(text: string): string;
  log: Log;
}

/** A recorded call with all that a prompt of it is made of. */
interface FoundCall extends RecordedCall {
  readonly timezone: string;
  /** The call as it was kept; null: it is not. */
  readonly kept: ModelCall | null;
}

/** Calls that one effect may have made: a few attempts. */
const CALLS_MAX = 50;

const notFound = (): ServiceError =>
  new ServiceError('CALL_NOT_FOUND', 'No model was asked for that effect, or it has not answered yet');

/** The number of a task's effect, by its id. Throws `CALL_NOT_FOUND` for anything else. */
const effectIn = ({ task_id, effect_id }: AskedCall): number => {
  const number = Number(effect_id.slice(task_id.length + 1));
  if (!Number.isSafeInteger(number) || effectId(task_id, number) !== effect_id) throw notFound();
  return number;
};

const createFind =
  ({ engine }: Parts) =>
  async (call: AskedCall): Promise<FoundCall> => {
    const { owner, task_id, effect_id } = call;
    await engine.task(owner, task_id);
    const number = effectIn(call);
    const recorded = await readRecordedCall(engine.taskTrace(owner, task_id), number);
    if (recorded === null) throw notFound();
    const { timezone } = await engine.session(owner, recorded.task.session_id);
    const { items } = await engine.callsOfEffect(owner, task_id, effect_id, { limit: CALLS_MAX });
    const kept = items.findLast(({ outcome }) => outcome === 'answered') ?? items.at(-1) ?? null;
    return { ...recorded, timezone, kept };
  };

/** The request of a recorded call as it was, but for what the agent says today. */
const requestOf = ({ agentOf }: Parts, call: FoundCall, effect_id: string): ModelRequest => {
  const { effect, task, timezone, kept, askedAt } = call;
  const agent = agentOf(task);
  return {
    ...dueBy(effect),
    effect_id,
    task,
    may: effect.type === 'model.thought' ? effect.params.may : [],
    tools: agent.tools.usage(task.catalogue.tools.map(({ name }) => name)),
    executors: agent.tools.executors,
    skills: agent.skills(task.catalogue),
    instructions: agent.instructions,
    now: kept === null ? askedAt : Date.parse(kept.started_at),
    timezone,
  };
};

/** The prompt for a model; null: it has none. The recorded model is asked in the voice in which it was. */
const promptFor = (model: Model, { kept }: FoundCall, request: ModelRequest): RebuiltPrompt | null => {
  const sent = kept?.prompt ?? null;
  const usual = model.voice?.();
  if (usual === undefined) return null;
  const voice = sent !== null && kept?.model === model.name ? voiceOf(sent) : usual;
  return rebuildPrompt(request, sent, voice);
};

const promptFiles = (prompt: RebuiltPrompt | null): AttachedFile[] =>
  (prompt?.prompt.user ?? []).flatMap(({ file }) => file ?? []);

const goneOf = async (files: AttachedFile[], { isThere }: CallFiles): Promise<string[]> => {
  const gone: string[] = [];
  for (const file of files) if (!(await isThere(file))) gone.push(file.path);
  return gone;
};

/** Asks for an answer, and counts it. */
const createAsk =
  ({ budgetOf, prices, log }: Parts) =>
  async (model: Model, owner: string, call: FoundCall, request: ModelRequest, signal: AbortSignal) => {
    const budget = budgetOf(owner);
    const refusal = await budget.refusal();
    if (refusal !== null) throw new ServiceError('QUOTA_EXHAUSTED', `No model can be asked: ${refusal.text}`);
    const began = performance.now();
    const took = (): number => performance.now() - began;
    const failed = (error: unknown): JudgedAnswer => {
      if (signal.aborted) throw error;
      if (error instanceof ModelUnavailable) return noAnswer(model.name, error.message, took());
      log.error({ err: error, effect_id: request.effect_id }, 'the model adapter failed');
      return noAnswer(model.name, messages(call.task.language).toolCalls.modelAdapterFailed, took());
    };
    const reply = await model.answer(request, signal).catch(failed);
    if ('is_accepted' in reply) return reply;
    const duration = took();
    const usage = usageOf(reply, model.name, prices);
    await budget.spend(usage);
    return judgeAnswer(request.contract, call, reply, usage, duration);
  };

/** Creates them. */
export const createCallReruns = (parts: Parts): CallReruns => {
  const { models, withFiles, mask } = parts;
  const find = createFind(parts);
  const ask = createAsk(parts);

  /** The model of the recorded call; null: it may not be asked, or cannot be. */
  const recordedModel = async ({ event, kept }: FoundCall, isAnyModel: boolean): Promise<Model | null> => {
    const name = ('usage' in event ? event.usage?.model : undefined) ?? kept?.model;
    return name === undefined ? null : unless(['INVALID_REQUEST'], models.byName(name, isAnyModel));
  };

  /** The model to ask, and the names of those that may be. */
  const modelFor = async (call: FoundCall, { isAnyModel }: AskedCall, name: string | undefined) => {
    const recorded = await recordedModel(call, isAnyModel);
    const [standard] = models.names;
    const names = recorded === null ? models.names : [recorded.name, ...models.names];
    const model =
      name === undefined && recorded !== null ? recorded : await models.byName(name ?? standard, isAnyModel);
    return { model, names: [...new Set(names)] };
  };

  /** The edited prompt; undefined: the model has none. */
  const given = (
    prompt: RebuiltPrompt | null,
    edits: CallRerunRequest,
    request: ModelRequest,
    name: string,
  ): GivenPrompt | undefined => {
    if (prompt !== null) return editPrompt(prompt, edits, request);
    if (!isEdited(edits)) return undefined;
    throw new ServiceError('INVALID_REQUEST', `The model ${name} has no prompts, so none can be edited`);
  };

  return {
    prompt: async (asked, name) => {
      const { owner, effect_id } = asked;
      const call = await find(asked);
      const { model, names } = await modelFor(call, asked, name);
      const request = requestOf(parts, call, effect_id);
      const prompt = promptFor(model, call, request);
      const gone = await withFiles(owner, call.task, null, (files) => goneOf(promptFiles(prompt), files));
      return {
        effect_id,
        contract: request.contract,
        model: model.name,
        models: names,
        is_any_model: asked.isAnyModel,
        is_exact: prompt?.isExact ?? false,
        system: prompt === null ? null : mask(textOf(prompt.prompt.system)),
        messages: (prompt?.prompt.user ?? []).map(({ text, file }) => ({
          content: mask(text),
          ...(file !== undefined && {
            file: {
              path: file.path,
              media_type: file.media_type,
              bytes: file.bytes,
              is_gone: gone.includes(file.path),
            },
          }),
        })),
        recorded: recordedAnswer(call, call.kept),
      };
    },

    run: async (asked, edits, signal) => {
      const { owner, effect_id } = asked;
      const call = await find(asked);
      const { model } = await modelFor(call, asked, edits.model);
      if (model.problem !== undefined) throw new ServiceError('MODEL_NOT_CONFIGURED', model.problem);
      const request = requestOf(parts, call, effect_id);
      const prompt = promptFor(model, call, request);
      const edited = given(prompt, edits, request, model.name);
      return withFiles(owner, call.task, signal, async (files) => {
        const gone = await goneOf(promptFiles(prompt), files);
        const again = await ask(
          model,
          owner,
          call,
          {
            ...request,
            ...(edited !== undefined && { given: edited }),
            ...(files.show !== undefined && { files: files.show }),
          },
          signal,
        );
        return {
          effect_id,
          contract: request.contract,
          recorded: recordedAnswer(call, call.kept),
          again,
          is_exact: (prompt?.isExact ?? false) && edits.instructions === undefined,
          gone,
        };
      });
    },
  };
};
