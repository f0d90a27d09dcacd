import { messageOf } from '../engine/perform/effect-deps.ts';
import { askingOwner } from '../event-loop/asking-owner.ts';
import { createLoopSlices } from '../event-loop/loop-slices.ts';
import { maskedHead, maskSecrets } from '../lib/mask-secrets.ts';
import { type Model, ModelUnavailable } from '../models/port.ts';
import { REPLY_CHARS_MAX } from '../models/reply/find-objects.ts';
import type { OutsideTool, Tool } from '../tools/port.ts';
import { runAsTool, runAsToolUntil } from '../tools/tool-scope.ts';
import type { Verifier } from '../verify/port.ts';

/** What a hexadecimal digit stands for; NaN for any other character. */
const hexDigit = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
};

const isHalf = (unit: number, first: number): boolean => unit >= first && unit < first + 0x400;

const isUnstorable = (unit: number): boolean => unit === 0 || isHalf(unit, 0xd800) || isHalf(unit, 0xdc00);

/** The unit that `\uXXXX` at this place stands for; NaN where there is no such escape. */
const escapedUnit = (text: string, at: number): number => {
  if (text[at] !== '\\' || text[at + 1] !== 'u') return Number.NaN;
  let unit = 0;
  for (let digit = at + 2; digit < at + 6; digit += 1) unit = unit * 16 + hexDigit(text.charCodeAt(digit));
  return unit;
};

/** Whether the backslash at this place is escaped by another one. */
const isEscaped = (text: string, at: number): boolean => {
  let run = at;
  while (text[run - 1] === '\\') run -= 1;
  return (at - run) % 2 === 1;
};

/** A text as every store, terminal and program takes it: NUL and half surrogate pairs become the replacement character. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** The same for JSON, whose escapes become such characters only when it is parsed. Looks at these escapes alone, for a text may be nothing but others. */
const storableJson = (json: string): string => {
  const text = storable(json);
  const pieces: string[] = [];
  let copied = 0;
  for (let at = text.indexOf('\\u'); at !== -1; at = text.indexOf('\\u', at)) {
    const unit = isEscaped(text, at) ? Number.NaN : escapedUnit(text, at);
    if (Number.isNaN(unit)) at += 2;
    else if (isHalf(unit, 0xd800) && isHalf(escapedUnit(text, at + 6), 0xdc00)) at += 12;
    else {
      if (isUnstorable(unit)) {
        pieces.push(text.slice(copied, at), '\\ufffd');
        copied = at + 6;
      }
      at += 6;
    }
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied);
};

/** Longest text of a tool or a verifier that is kept, in characters: each secret is looked for in all of it, and an observation keeps far less. */
const TEXT_CHARS_MAX = 1_000_000;

/** Longest answer of a model that is taken whole, in characters: none so long is read, so of a longer one nothing is missed. */
const ANSWER_CHARS_MAX = REPLY_CHARS_MAX + 20_000;

/** Texts that many calls may bring in the same moment, in characters: longer ones take some milliseconds. */
const QUICK_CHARS = 50_000;

const inSlices = createLoopSlices();

/** Wraps what the service is composed of, so that what comes in from it can be kept and shown. */
export interface OutsideText {
  model(model: Model): Model;
  tool(tool: Tool): Tool;
  verifier(verifier: Verifier): Verifier;
}

/**
 * Makes the wrappers through which every text of a model, a tool or a verifier comes in: the secrets in it are masked, as in the log,
 * and what no store takes is replaced, before anything is committed. Each runs under a name, so that what it leaves
 * behind can be distinguished from the service's own faults. Tools inside the store's transaction say nothing that was not said to them.
 */
export const createOutsideText = (secrets: readonly string[]): OutsideText => {
  const mask = maskSecrets(secrets);
  const cleanAll = (text: string): string => mask(storable(text));
  const clean = async (text: string, owner?: string): Promise<string> => {
    if (text.length > QUICK_CHARS) await inSlices.next(owner);
    const head = maskedHead(text, TEXT_CHARS_MAX, cleanAll);
    return text.length <= TEXT_CHARS_MAX ? head : `${storable(head)}… [cut, ${text.length} characters in all]`;
  };
  const answerOf = (text: string): string => {
    const head = maskedHead(text, ANSWER_CHARS_MAX, (part) => mask(storableJson(part)));
    if (text.length <= ANSWER_CHARS_MAX) return head;
    // Longer than one that is read, whatever was masked: nobody takes the beginning for the answer.
    // A text of its own, for one that is cut out keeps all of the other in memory.
    return structuredClone(storable(head).padEnd(REPLY_CHARS_MAX + 1, '…'));
  };
  const wrapped = new WeakMap<OutsideTool, OutsideTool>();

  const wrap = (tool: OutsideTool): OutsideTool => ({
    ...tool,
    run: (input, call) =>
      runAsTool(tool.name, async () => {
        try {
          const { ok, result } = await tool.run(input, call);
          return { ok, result: typeof result === 'string' ? await clean(result, call.owner) : result };
        } catch (error) {
          if (call.signal.aborted) throw error;
          return { ok: false, result: await clean(messageOf(error), call.owner) };
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
          // A model in code may answer all who ask in the same moment, and what it said is read next.
          if (reply.text.length > QUICK_CHARS) await inSlices.next(askingOwner.getStore());
          return { ...reply, text: answerOf(reply.text) };
        } catch (error) {
          throw error instanceof ModelUnavailable ? new ModelUnavailable(await clean(error.message)) : error;
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
        return { ok, output: await clean(output) };
      } catch (error) {
        throw check.signal.aborted ? error : new Error(await clean(messageOf(error)));
      }
    },
  };
};
