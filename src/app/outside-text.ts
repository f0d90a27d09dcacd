import { messageOf } from '../engine/perform/effect-deps.ts';
import { maskSecrets } from '../lib/mask-secrets.ts';
import { type Model, ModelUnavailable } from '../models/port.ts';
import type { OutsideTool, Tool } from '../tools/port.ts';
import { runAsTool, runAsToolUntil } from '../tools/tool-scope.ts';
import type { Verifier } from '../verify/port.ts';

/** Longest text of a tool or a verifier that is kept, in characters: an observation keeps far less. */
const TEXT_CHARS_MAX = 100_000;

/** Characters left out at the end of a text that is cut: they may be the beginning of a secret. */
const SECRET_CHARS_MAX = 10_000;

/** A text as every store, terminal and program takes it: NUL and half surrogate pairs become the replacement character. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** Escaped backslashes and whole surrogate pairs, which stay; and NUL and half pairs as JSON escapes them. */
const JSON_ESCAPES = /\\(?:\\|u[dD][89abAB]..\\u[dD][c-fC-F]..|u0000|u[dD][89a-fA-F]..)/g;

/** The same for JSON, whose escapes become such characters only when it is parsed. */
const storableJson = (json: string): string =>
  storable(json).replace(JSON_ESCAPES, (found) => (found.length === 6 ? '\\ufffd' : found));

/** Wraps models, tools and verifiers so that their texts can be kept and shown. */
export interface OutsideText {
  model(model: Model): Model;
  tool(tool: Tool): Tool;
  verifier(verifier: Verifier): Verifier;
}

/**
 * Makes the wrappers through which every text of a model, a tool or a verifier comes in: secrets are masked, and characters that no store takes are
 * replaced. Each runs under a name, so that its later faults are known as its own. Tools inside the store's transaction are not wrapped.
 */
export const createOutsideText = (secrets: readonly string[]): OutsideText => {
  const mask = maskSecrets(secrets);
  const clean = (text: string): string => {
    const head = mask(storable(text.slice(0, TEXT_CHARS_MAX)));
    if (text.length <= TEXT_CHARS_MAX) return head;
    return `${storable(head.slice(0, -SECRET_CHARS_MAX))}… [cut, ${text.length} characters in all]`;
  };
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
          return { ok: false, result: clean(messageOf(error)) };
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
          const reply = await runAsToolUntil(model.name, signal, (own) => model.answer(request, own));
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
      try {
        const { ok, output } = await runAsToolUntil('verify', check.signal, (signal) => verifier({ ...check, signal }));
        return { ok, output: clean(output) };
      } catch (error) {
        throw check.signal.aborted ? error : new Error(clean(messageOf(error)));
      }
    },
  };
};
