import { z } from 'zod';
import { Approver } from '../../contracts/approver.ts';
import { FILE_NAME_CHARS_MAX, TURN_FILES_MAX } from '../../contracts/limits.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { ToolResult } from '../../contracts/task.ts';
import type { Language } from '../../contracts/text.ts';
import { modelSchema } from './defined/model-schema.ts';
import { describeInput, type JsonSchema, problemsOf, readInput } from './defined/read-input.ts';
import type { Approval, OutsideResult, OutsideTool, TaskToolCall } from './port.ts';

/** Longest time limit that a tool may set for itself, in milliseconds: a day, which a timer can represent. */
export const TOOL_TIMEOUT_MS_MAX = 24 * 60 * 60 * 1000;

/** Context of a tool's `run` beside its input. `signal` aborts at the time limit and when the task is cancelled. */
export type DefinedToolCall = Omit<TaskToolCall, 'item_id' | 'executor' | 'expected' | 'clarifications'>;

/** A file that a tool gives beside its text: its type is taken from the bytes, of a text from its name. */
const DefinedToolFile = z.strictObject({
  /** The name under which it is stored, or a similar one. */
  name: z.string().min(1).max(FILE_NAME_CHARS_MAX),
  /** The type of a text whose name does not tell it, such as `text/csv`. */
  media_type: z.string().optional(),
  bytes: z.instanceof(Uint8Array),
});
export type DefinedToolFile = z.infer<typeof DefinedToolFile>;

const WithFiles = ToolResult.extend({ files: z.array(DefinedToolFile).max(TURN_FILES_MAX) });

/**
 * The result of a tool's `run`: a text, `{ok, result}` to fail without throwing, `{ok, result, files}` to give files, or
 * any JSON value.
 */
export type DefinedToolOutput =
  | string
  | (ToolResult & { files?: readonly DefinedToolFile[] })
  | object
  | number
  | boolean
  | null
  | undefined;

/** A custom tool, as `defineTool` takes it. */
export interface ToolDefinition<Input extends z.ZodType> {
  /** `^[A-Za-z0-9_-]{1,64}$`, and unique among tools. */
  name: string;
  /** One line for people and models: what it does and when to use it. */
  description: string;
  /** The input's schema. The model sees descriptions (`.describe`) and examples (`.meta({examples})`). */
  input: Input;
  /**
   * Whether a call may be repeated after a crash, under the same `effect_id`. Default `at_most_once`: never (SPEC 7);
   * for a read-only tool `idempotent`.
   */
  effect?: OutsideTool['effect'];
  /**
   * Whether it changes anything: then verifiers check it, and no other call runs at the same time (SPEC 3). Default
   * true, as an unnecessary check does no harm.
   */
  writes?: boolean;
  /**
   * Who approves each call by a task before it runs (SPEC 3): true, a person; `after_untrusted`, a person once results
   * from outside are in the task; a function of the parsed input, itself or a person. Default false.
   */
  approval?: Approval<z.output<Input>>;
  /**
   * Who may decide about its calls, such as `role:finance` or `owner:ada`, in place of the task's owner (SPEC 3,
   * approvers). Without `approval` each call is asked about.
   */
  approvers?: string[];
  /** False: never the task's owner, also where they are among the approvers. Needs `approvers`. */
  self?: false;
  /** `untrusted`: its results come from outside, where anybody may have written them. Default: they do not. */
  source?: 'untrusted';
  /** Time limit in milliseconds; default: the service's, `TRIPACT_TOOL_TIMEOUT_MS`. */
  timeoutMs?: number;
  /** Does the work. A thrown error becomes a failed observation with its message, never its stack. */
  run(input: z.output<Input>, call: DefinedToolCall): Promise<DefinedToolOutput> | DefinedToolOutput;
}

/** A result with files as the service stores them. Throws for files of another shape: none is left out silently. */
const withFiles = (output: ToolResult): OutsideResult => {
  const { data, error } = WithFiles.safeParse(output);
  if (data === undefined)
    throw new Error(`"files" of the result are not {name, media_type?, bytes}: ${error.issues[0]?.message}`);
  const files = data.files.map(({ name, media_type, bytes }) => ({
    name,
    ...(media_type !== undefined && { media_type }),
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  }));
  return { ok: data.ok, result: data.result, files };
};

const toResult = (output: DefinedToolOutput, language: Language): OutsideResult => {
  if (typeof output === 'string') return { ok: true, result: output };
  const written = (): string => JSON.stringify(output) ?? messages(language).toolCalls.noOutput;
  const said = ToolResult.safeParse(output).data;
  if (said === undefined) return { ok: true, result: written() };
  return 'files' in (output as ToolResult) ? withFiles(output as ToolResult) : said;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));

/** Approvers of a tool. Throws for an empty list, and for one that nobody can be. */
const checkedApprovers = (tool: string, approvers: string[]): string[] => {
  const wrong = approvers.find((approver) => !Approver.safeParse(approver).success);
  if (wrong === undefined && approvers.length > 0) return approvers;
  throw new RangeError(
    `${tool}: approvers must be role:<name> or owner:<name>, not ${JSON.stringify(wrong ?? approvers)}`,
  );
};

/** Removes the bounds that zod adds to every integer: a model learns nothing from the largest representable number. */
const leaveOutSafeBounds = (schema: { minimum?: number; maximum?: number }): void => {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
};

/**
 * Makes a tool for `tripact.config.ts` from a zod schema and a function (SPEC 8). The input string is parsed as JSON,
 * or taken verbatim if the schema is a string or has exactly one field, a required string. Unknown fields and
 * `__proto__` are refused. A bad input becomes a failed observation with the usage, and `run` never sees it. Throws for
 * a time limit out of range.
 */
export const defineTool = <Input extends z.ZodType>(definition: ToolDefinition<Input>): OutsideTool => {
  const { name, description, input: shape, writes = true, approval, source, timeoutMs, self } = definition;
  const { approvers } = definition;
  const { effect = writes ? 'at_most_once' : 'idempotent' } = definition;
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= TOOL_TIMEOUT_MS_MAX))
    throw new RangeError(
      `${name}: timeoutMs must be a whole number from 1 to ${TOOL_TIMEOUT_MS_MAX}, not ${timeoutMs}`,
    );
  if (self === false && approvers === undefined) throw new RangeError(`${name}: "self" needs "approvers"`);
  const schema: JsonSchema = z.toJSONSchema(shape, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => leaveOutSafeBounds(jsonSchema),
  });
  const usage = describeInput(schema, 'en');
  const refused = (problems: string[], language: Language) => ({
    refusal: messages(language).toolInput.refused(problems, describeInput(schema, language)),
  });
  const inputOf = async (
    text: string,
    language: Language,
  ): Promise<{ data: z.output<Input> } | { refusal: string }> => {
    const read = readInput(text, name, schema, language);
    if ('problems' in read) return refused(read.problems, language);
    const checked = await shape.safeParseAsync(read.value);
    if (checked.success) return { data: checked.data };
    return refused(problemsOf(checked.error.issues, language), language);
  };
  const failed = (error: unknown, language: Language): string =>
    messages(language).toolCalls.failed(name, messageOf(error));
  return {
    name,
    description,
    usage,
    schema: modelSchema(schema),
    effect,
    writes,
    // Its input comes of `parseInput`, which gives the type that the schema says.
    ...(approval !== undefined && { approval: approval as Approval }),
    ...(approvers !== undefined && { approvers: checkedApprovers(name, approvers) }),
    ...(self !== undefined && { self }),
    ...(source !== undefined && { source }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    async checkInput(text, language) {
      try {
        const read = await inputOf(text, language);
        return 'refusal' in read ? read.refusal : null;
      } catch (error) {
        return failed(error, language);
      }
    },
    async parseInput(text, language) {
      const read = await inputOf(text, language);
      if ('refusal' in read) throw new Error(read.refusal);
      return read.data;
    },
    async run(text, call) {
      const { item_id: _i, executor: _e, expected: _x, clarifications: _c, ...handed } = call;
      const { language } = call;
      try {
        const read = await inputOf(text, language);
        if ('refusal' in read) return { ok: false, result: read.refusal };
        return toResult(await definition.run(read.data, handed), language);
      } catch (error) {
        if (call.signal.aborted) throw error;
        return { ok: false, result: failed(error, language) };
      }
    },
  };
};
