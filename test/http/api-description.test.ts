import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { CallbackType } from '../../contracts/callback.ts';
import { problemTypes } from '../../contracts/error-code.ts';
import { KEYS, startHttpOn } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

interface Operation {
  operationId?: string;
  requestBody?: { content: { 'application/json': { schema: { $ref?: string } } } };
  responses: unknown;
  callbacks?: Record<string, Record<string, Record<string, Operation>>>;
}

interface Described {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { enum?: string[]; properties?: Record<string, unknown> }> };
}

const describedBy = async (apiKeys = KEYS.slice(0, 0)): Promise<Described> => {
  const { port } = await startHttpOn(stubEngine({}), { apiKeys });
  const [key] = apiKeys;
  const asked = key === undefined ? {} : { headers: { authorization: `Bearer ${key.key}` } };
  return JSON.parse((await ask(port, '/openapi.json', asked)).text);
};

/** Complaints of a strict linter; its own recommendations and what a reader of the page misses. */
const complaintsAbout = async (description: unknown): Promise<string[]> => {
  const rules = [
    ...['operation-description', 'operation-operationId', 'operation-tag-defined', 'operation-singular-tag'],
    ...['tag-description', 'parameter-description', 'info-contact', 'info-license-strict', 'no-duplicated-tag-names'],
    ...['no-unused-components', 'no-invalid-media-type-examples', 'no-invalid-schema-examples'],
    ...['no-schema-type-mismatch', 'no-required-schema-properties-undefined'],
  ];
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: Object.fromEntries(rules.map((rule) => [rule, 'error'])),
  });
  const problems = await lintFromString({ source: JSON.stringify(description), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
};

const operationIds = ({ paths }: Described): (string | undefined)[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));

/** Faults in the ids of a description's operations, in words. */
const idFaults = (description: Described): string[] => {
  const ids = operationIds(description);
  return ids.flatMap((id, i) => {
    if (id === undefined) return [`an operation has no id, after ${ids[i - 1]}`];
    if (!/^[a-z]+([A-Z][a-z]+)*$/.test(id)) return [`${id} is not in camelCase`];
    return ids.indexOf(id) < i ? [`${id} is there twice`] : [];
  });
};

describe('the description of the API', () => {
  it('gives a strict linter nothing to say', async () => {
    expect(await complaintsAbout(await describedBy(KEYS))).toEqual([]);
  });

  it('gives each operation its own id', async () => {
    expect(idFaults(await describedBy())).toEqual([]);
  });

  it('names for each problem its type', async () => {
    const { components } = await describedBy();
    expect(components.schemas.ProblemType?.enum).toEqual(problemTypes);
    expect(problemTypes).toContain('/problems/task-running');
  });

  it('describes as one value of JSON what a turn is answered with, and its events at their own address', async () => {
    const { paths } = await describedBy();
    const content = (type: string, schema: object) => ({ 200: { content: { [type]: { schema } } } });
    expect(paths['/v1/sessions/{session_id}/turns']?.post?.responses).toMatchObject(
      content('application/json', { $ref: '#/components/schemas/Turn' }),
    );
    const responses = paths['/v1/sessions/{session_id}/turns']?.post?.responses as Record<string, { content: object }>;
    expect(Object.keys(responses)).toEqual(['200', '202', '4XX', '5XX']);
    expect(Object.keys(responses['4XX']!.content)).toEqual(['application/problem+json']);
    expect(paths['/v1/turns/{turn_id}/events']?.get?.responses).toMatchObject(
      content('text/event-stream', { type: 'array', items: { $ref: '#/components/schemas/TurnMessage' } }),
    );
  });

  it('has a typed body for each event that is posted to the webhook, and for a turn at its callback_url', async () => {
    const { webhooks, paths, components } = await describedBy();
    const bodyOf = (path: Described['webhooks'][string] | undefined) =>
      path?.post?.requestBody?.content['application/json'].schema.$ref?.replace('#/components/schemas/', '') ?? '';
    expect(Object.keys(webhooks)).toEqual(CallbackType.options);
    for (const [type, path] of Object.entries(webhooks))
      expect(components.schemas[bodyOf(path)]?.properties?.type).toMatchObject({ const: type });
    const callback = paths['/v1/sessions/{session_id}/turns']?.post?.callbacks?.finished;
    expect(bodyOf(callback?.['{$request.body#/callback_url}'])).toBe('Turn');
  });
});

it('is as fresh as the routes: npm run openapi writes it', () => {
  const written = readFileSync('src/http/openapi/openapi.json', 'utf8');
  expect(JSON.parse(written)).toEqual(
    JSON.parse(execFileSync(process.execPath, ['.ci/openapi.ts'], { encoding: 'utf8' })),
  );
});
