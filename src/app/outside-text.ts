import type { Verifier } from '../engine/perform/effect-deps.ts';
import { maskSecrets } from '../log.ts';
import { type Model, ModelUnavailable } from '../models/port.ts';
import type { OutsideTool, Tool } from '../tools/port.ts';
import { runAsTool } from '../tools/tool-scope.ts';

/** An escape of JSON: a whole surrogate pair, any other unit, or one character. */
const JSON_ESCAPE = /\\(?:u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|u([\da-f]{4})|[^u])/gi;

const isUnstorable = (unit: number): boolean => unit === 0 || (unit >= 0xd800 && unit <= 0xdfff);

/** A text as every store, terminal and program takes it: NUL and half surrogate pairs become the replacement character. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** The same for JSON, whose escapes become such characters only when it is parsed. */
const storableJson = (text: string): string =>
  text.includes('\\u')
    ? storable(text).replace(JSON_ESCAPE, (sequence, _high, _low, unit: string | undefined) =>
        unit !== undefined && isUnstorable(Number.parseInt(unit, 16)) ? '\\ufffd' : sequence,
      )
    : storable(text);

/** Wraps what the service is composed of, so that what comes in from it can be kept and shown. */
export interface OutsideText {
  model(model: Model): Model;
  tool(tool: Tool): Tool;
  verifier(verifier: Verifier): Verifier;
}

/**
 * Makes the wrappers through which every text of a model, a tool or a verifier comes in: the secrets in it are masked, as in the log,
 * and what no store takes is replaced, before anything is committed. A wrapped tool runs under its name, so that what it leaves
 * behind can be distinguished from the service's own faults. Tools inside the store's transaction say nothing that was not said to them.
 */
export const createOutsideText = (secrets: readonly string[]): OutsideText => {
  const mask = maskSecrets(secrets);
  const clean = (text: string): string => mask(storable(text));
  const wrapped = new WeakMap<OutsideTool, OutsideTool>();

  const wrap = (tool: OutsideTool): OutsideTool => ({
    ...tool,
    run: (input, call) =>
      runAsTool(tool.name, async () => {
        try {
          const { ok, result } = await tool.run(input, call);
          return { ok, result: typeof result === 'string' ? clean(result) : result };
        } catch (error) {
          if (call.signal.aborted) throw error;
          return { ok: false, result: clean(error instanceof Error ? error.message : String(error)) };
        }
      }),
  });

  return {
    model: (model) => ({
      name: model.name,
      ...(model.problem !== undefined && { problem: model.problem }),
      ...(model.nameFor !== undefined && { nameFor: model.nameFor }),
      answer: async (request, signal) => {
        try {
          const reply = await model.answer(request, signal);
          return { ...reply, text: mask(storableJson(reply.text)) };
        } catch (error) {
          throw error instanceof ModelUnavailable ? new ModelUnavailable(clean(error.message)) : error;
        }
      },
    }),
    tool: (tool) => {
      if (tool.effect === 'transactional') return tool;
      const known = wrapped.get(tool) ?? wrap(tool);
      wrapped.set(tool, known);
      return known;
    },
    verifier: (verifier) => async (check) => {
      const { ok, output } = await verifier(check);
      return { ok, output: clean(output) };
    },
  };
};
