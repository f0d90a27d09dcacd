import { z } from 'zod';
import { Call } from '../../contracts/calls.ts';
import { ToolRequest } from '../../contracts/tool-question.ts';
import type { Config, Environment } from '../config/config.ts';
import { decodePercent } from '../lib/decode-percent.ts';
import { messageOf } from '../lib/errors.ts';
import { maskSecrets, secretAtEnd } from '../lib/log.ts';
import { type CallMade, type Model, type ModelReply, type ModelRequest, ModelUnavailable } from '../models/port.ts';
import {
  type ApprovalPolicy,
  type OutsideTool,
  type PolicyVerdict,
  type Tool,
  ToolAsks,
  type ToolQuestion,
} from '../tools/port.ts';
import type { Verifier } from '../verify/port.ts';
import { runAsTool, signalOfTool } from './tool-faults.ts';

/** Variables with a provider's key, by the names that their SDKs read. */
const PROVIDER_KEY =
  /_(?:API_KEY|API_TOKEN|AUTH_TOKEN|ACCESS_TOKEN|SESSION_TOKEN|SECRET_KEY|SECRET_ACCESS_KEY|WEBHOOK_SECRET)$/;

/** Webhook secrets; one variable may have several. */
const WEBHOOK_SECRET = /whsec_[A-Za-z0-9+/]+=*/g;

/** Variables with headers for an OTLP exporter (`name=value,…`, percent-encoded), and the headers that carry a key. */
const HEADERS = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
];
const SECRET_HEADER = /auth|key|token|secret/i;

/**
 * Texts that must not appear in any log, reply, trace or event: the callers' keys, and every provider key in the
 * environment.
 */
export const secretsOf = (
  { providers, apiKeys, databaseUrl, secretKey }: Pick<Config, 'providers' | 'apiKeys' | 'databaseUrl' | 'secretKey'>,
  env: Environment,
): string[] => [
  ...apiKeys.map(({ key }) => key),
  ...(secretKey ?? []),
  ...(databaseUrl === null ? [] : [databaseUrl, decodePercent(new URL(databaseUrl).password)].filter(Boolean)),
  ...Object.values(providers).flatMap(({ apiKey }) => apiKey ?? []),
  ...Object.entries(env).flatMap(
    ([name, value = '']) => value.match(WEBHOOK_SECRET) ?? (PROVIDER_KEY.test(name) ? [value] : []),
  ),
  ...HEADERS.flatMap((name) => [...new URLSearchParams(env[name]?.replaceAll(',', '&').replaceAll('+', '%2B'))])
    .filter(([name]) => SECRET_HEADER.test(name))
    .map(([, value]) => value.trim()),
];

/** A text that every store accepts: NUL and lone surrogates become the replacement character. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** Escaped backslashes and whole surrogate pairs, which stay; and NUL and lone surrogates as JSON escapes. */
const JSON_ESCAPES = /\\(?:\\|u[dD][89abAB]..\\u[dD][c-fC-F]..|u0000|u[dD][89a-fA-F]..)/g;

/** The same for JSON, whose escapes become such characters only when it is parsed. */
const storableJson = (json: string): string =>
  storable(json).replace(JSON_ESCAPES, (found) => (found.length === 6 ? '\\ufffd' : found));

/**
 * Creates the wrappers of models, tools and verifiers. They remove secrets and unstorable characters from results, and
 * attribute later errors to their source.
 */
export const createRedaction = (secrets: readonly string[]) => {
  const mask = maskSecrets(secrets);
  const cutEnd = secretAtEnd(secrets);
  const clean = (text: string): string => mask(storable(text));
  const wrapped = new WeakMap<Tool, Tool>();

  /** A policy without secrets in its texts, and with later errors reported as the tool's. */
  const cleanPolicy =
    (name: string, policy: ApprovalPolicy): ApprovalPolicy =>
    (input, call) =>
      runAsTool(name, async () => {
        try {
          const verdict: unknown = await policy(input, call);
          return JSON.parse(mask(storableJson(JSON.stringify(verdict) ?? 'null'))) as PolicyVerdict;
        } catch (error) {
          throw new Error(clean(messageOf(error)));
        }
      });

  const withPolicy = (tool: Tool): Tool =>
    typeof tool.approval === 'function' ? { ...tool, approval: cleanPolicy(tool.name, tool.approval) } : tool;

  const cleanQuestion = ({ server, requests, state }: ToolQuestion): ToolQuestion => ({
    server,
    requests: z.array(ToolRequest).parse(JSON.parse(mask(storableJson(JSON.stringify(requests))))),
    ...(state !== undefined && { state: clean(state) }),
  });

  const wrap = (tool: OutsideTool): OutsideTool => ({
    ...tool,
    ...(tool.checkInput !== undefined && {
      checkInput: (input, language) =>
        runAsTool(tool.name, async () => {
          const refusal = (await tool.checkInput?.(input, language)) ?? null;
          return refusal === null ? null : clean(refusal);
        }),
    }),
    run: (input, call) =>
      runAsTool(tool.name, async () => {
        try {
          const { ok, result, files } = await tool.run(input, call);
          const cleaned = { ok, result: typeof result === 'string' ? clean(result) : result };
          return files === undefined ? cleaned : { ...cleaned, files };
        } catch (error) {
          if (call.signal.aborted) throw error;
          if (error instanceof ToolAsks) throw new ToolAsks(cleanQuestion(error.question));
          return { ok: false, result: clean(messageOf(error)) };
        }
      }),
  });

  /** The same for a text in pieces. A piece that may begin a secret waits for the next one. */
  const cleanPieces = (give: NonNullable<ModelRequest['onText']>): typeof give => {
    let held = { text: '', finish: '' };
    return (piece, of = 'text') => {
      if (piece === null) {
        held = { text: '', finish: '' };
        return give(null);
      }
      const text = mask(held[of] + piece);
      const kept = cutEnd(text);
      held[of] = text.slice(text.length - kept);
      if (kept < text.length) give(text.slice(0, text.length - kept), of);
    };
  };

  const cleanCalls = (calls: readonly Call[]): Call[] =>
    z.array(Call).parse(JSON.parse(mask(storableJson(JSON.stringify(calls)))));

  const cleanReply = (reply: ModelReply): ModelReply => ({
    ...reply,
    text: mask(storableJson(reply.text)),
    ...(reply.calls !== undefined && { calls: cleanCalls(reply.calls) }),
  });

  /** The same for a call as it was made, which is recorded before its reply arrives here. */
  const cleanCallMade = (call: CallMade): CallMade => ({
    ...call,
    reply: call.reply === null ? null : cleanReply(call.reply),
    failure: call.failure === null ? null : clean(call.failure),
  });

  return {
    model: (model: Model): Model => ({
      name: model.name,
      ...(model.problem !== undefined && { problem: model.problem }),
      ...(model.nameFor !== undefined && { nameFor: model.nameFor }),
      ...(model.voice !== undefined && { voice: model.voice }),
      answer: (request, signal) =>
        runAsTool(model.name, async () => {
          try {
            const { onText, onCall } = request;
            const asked = {
              ...request,
              ...(onText !== undefined && { onText: cleanPieces(onText) }),
              ...(onCall !== undefined && { onCall: (call: CallMade) => onCall(cleanCallMade(call)) }),
            };
            return cleanReply(await model.answer(asked, signalOfTool(signal)));
          } catch (error) {
            throw error instanceof ModelUnavailable ? new ModelUnavailable(clean(error.message)) : error;
          }
        }),
    }),
    tool: (tool: Tool): Tool => {
      const known = wrapped.get(tool) ?? withPolicy(tool.effect === 'transactional' ? tool : wrap(tool));
      wrapped.set(tool, known);
      return known;
    },
    verifier:
      (verifier: Verifier): Verifier =>
      (check) =>
        runAsTool('verify', async () => {
          try {
            const { ok, output } = await verifier({ ...check, signal: signalOfTool(check.signal) });
            return { ok, output: clean(output) };
          } catch (error) {
            throw check.signal.aborted ? error : new Error(clean(messageOf(error)));
          }
        }),
  };
};
