import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { areas } from '#functions/contract.ts';
import { apiDocument } from '#infra/openapi/document.ts';
import { ErrorRecord } from '#infra/openapi/errors.ts';
import { declaredResults } from '#infra/openapi/tasks.ts';
import { SCOPES } from '#shared/platform/auth/permissions.ts';
import { OPERATION_NAMES } from '#shared/platform/jobs/operations.ts';
import { errorStatus } from '#shared/platform/runtime/errors.ts';

const document = apiDocument(areas);
const routes = areas.flatMap((area) => Object.entries(area.routes).map(([name, route]) => ({ name, ...route })));
const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values({ ...item }));

test('an integrator can generate a client: every operation occurs once with its own id', () => {
  const ids = operations.map((operation) => Object(operation).operationId);
  expect(ids.toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

/** Anyone may call these, so that they have windows. */
const LIMITED = ['getChallenge', 'signUp', 'beginTrial', 'createSalesRequest'];

/** Operations that follow another standard, which has statuses and a media type of its own (RFC 7644). */
const ofScim = routes.filter(({ dialect }) => dialect === 'scim');
const isOfScim = (operation: unknown) => ofScim.some(({ name }) => name === Object(operation).operationId);

test('each operation of SCIM lists its statuses in the media type of the standard', () => {
  for (const operation of operations.filter(isOfScim)) {
    const { responses, requestBody } = Object(operation);
    const statuses = Object.keys(responses).filter((status) => !['200', '201', '204'].includes(status));
    expect(statuses).toEqual(['400', '401', '403', '404', '409', '429', '500']);
    for (const { content } of [responses['200'] ?? responses['201'], requestBody].filter(Boolean))
      expect(Object.keys(content)).toEqual(['application/scim+json']);
  }
});

test('each operation lists the four statuses of the interface and the callers that it admits', () => {
  for (const operation of operations.filter((one) => !isOfScim(one))) {
    const isLimited = LIMITED.includes(Object(operation).operationId);
    const statuses = ['200', '400', '401', ...(isLimited ? ['429'] : []), '500'];
    expect(Object.keys(Object(operation).responses)).toEqual(statuses);
    expect(Object(operation).description).toMatch(/Needs /);
    expect(operation).toHaveProperty('x-access');
  }
});

test('the reference marks the scopes that open no operation, and only those', () => {
  const opened = new Set(
    routes.flatMap(({ access }) => (typeof access === 'string' ? [] : [access.scope ?? []].flat())),
  );
  const lines = Object.keys(SCOPES).map(
    (scope) => document.info.description?.match(RegExp(`^- .${scope}.: .*$`, 'm'))?.[0],
  );
  const marked = lines.filter((line) => line?.endsWith('(opens no operation yet)'));
  expect(lines.every((line) => line !== undefined)).toBe(true);
  expect(marked.map((line) => line?.match(/`(.*?)`/)?.[1])).toEqual(
    Object.keys(SCOPES).filter((scope) => !opened.has(scope as never)),
  );
});

test('a caller reads of every operation more than its summary and who may call it', () => {
  const silent = routes.filter(({ description = '' }) => description.trim() === '');
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('a reader finds the fields of an example in the order of its schema', () => {
  const inOrder = routes.flatMap(({ method, path, name, body }) => {
    const operation = Object(document.paths?.[path])[method.toLowerCase()];
    const { schema, example } = operation.requestBody?.content['application/json'] ?? {};
    const named = schema?.$ref ?? schema?.allOf?.[0].$ref;
    const { properties } = Object(named ? document.components?.schemas?.[named.split('/').at(-1)] : schema);
    if (!body || !properties || !example) return [];
    const sorted = Object.keys(properties).filter((field) => field in example);
    return [{ name, fields: Object.keys(example), sorted }];
  });
  expect(inOrder.length).toBeGreaterThan(50);
  for (const { name, fields, sorted } of inOrder) expect(fields, name).toEqual(sorted);
});

test('the document lists every error code', () => {
  expect(ErrorRecord.shape.code.options).toEqual(Object.keys(errorStatus));
  expect(document.components?.schemas?.Error).toMatchObject({ required: ['code', 'message', 'requestId'] });
});

test('every body has an example, and fields that the server sets are marked', () => {
  for (const operation of operations.filter((entry) => Object(entry).requestBody))
    for (const media of Object.values(Object(operation).requestBody.content).slice(0, 1))
      expect(media).toHaveProperty('example');
  expect(document.components?.schemas?.ApiKey).toMatchObject({ properties: { createdAt: { readOnly: true } } });
});

test('If-Match is offered for changes of records, but not to machines, whose version is that of their software, nor for changes of many', () => {
  const offers = (id: string) => {
    const operation = operations.find((entry) => Object(entry).operationId === id);
    return JSON.stringify(Object(operation).parameters ?? []).includes('IfMatch');
  };
  const ofMany = routes
    .filter(({ body }) => body instanceof z.ZodObject && 'changes' in body.shape)
    .map(({ name }) => name);
  const changing = routes.flatMap(({ method, name }) =>
    method === 'PATCH' && !ofScim.some((one) => one.name === name) && !ofMany.includes(name) ? [name] : [],
  );
  const machines = routes.filter(({ lenient }) => lenient).map(({ name }) => name);
  expect([...changing, 'approveEngagement'].filter((name) => !offers(name))).toEqual([]);
  expect([...machines, ...ofMany].filter(offers)).toEqual([]);
  expect(ofMany).toContain('updateFindings');
});

test('a reader meets import and findings first, and each group says its purpose', () => {
  const names = (document.tags ?? []).map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(['import', 'findings']);
  expect(names.toSorted()).toEqual(areas.map(({ name }) => name).toSorted());
});

test('a generated client knows the result of each operation that leaves a task', () => {
  expect(Object.keys(declaredResults).toSorted()).toEqual(OPERATION_NAMES.toSorted());
  const schemas = JSON.parse(JSON.stringify(document.components?.schemas));
  const { oneOf, discriminator } = schemas.Task;
  expect(Object.keys(discriminator.mapping).toSorted()).toEqual(OPERATION_NAMES.toSorted());
  const nameOf = ({ $ref }: { $ref: string }) => $ref.split('/').at(-1) ?? '';
  for (const [operation, $ref] of Object.entries<string>(discriminator.mapping)) {
    expect(oneOf).toContainEqual({ $ref });
    const { required, properties } = schemas[nameOf({ $ref })];
    expect(required).toContain('operation');
    expect(properties.operation.enum).toContain(operation);
    // a task that had the name of its result would take that one's place
    expect(properties.result.$ref).not.toBe($ref);
    expect(Object.keys(schemas[nameOf(properties.result)].properties).length).toBeGreaterThan(0);
  }
  expect(schemas.ImportTask.properties.result).toEqual({ $ref: '#/components/schemas/ImportResult' });
});

test('the document passes the rules that tools expect', () => {
  const directory = mkdtempSync(join(tmpdir(), 'openapi-'));
  const file = join(directory, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  // The switches keep it off the network.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const lint = spawnSync('node_modules/.bin/redocly', ['lint', file, '--format=json'], { env, encoding: 'utf8' });
  rmSync(directory, { recursive: true });
  const problems: { ruleId: string; message: string }[] = JSON.parse(lint.stdout).problems;
  const isFine = ({ ruleId, message }: { ruleId: string; message: string }) =>
    (ruleId === 'no-ambiguous-paths' && isToldApartById(message)) ||
    (ruleId === 'no-unused-components' && isRecordOfBody(message));
  const found = problems.filter((problem) => !isFine(problem));
  expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

/** A record of the interface whose operations have a body of their own each; the bodies name the record in `x-record`. */
function isRecordOfBody(message: string): boolean {
  const [, name] = /^Component: "(\w+)"/.exec(message) ?? [];
  return JSON.stringify(document.paths).includes(`"x-record":{"$ref":"#/components/schemas/${name}"}`);
}

/**
 * No request with ids fits both `/findings/{id}/comments` and `/findings/rules/{id}`: the id of a finding is a UUID and
 * never the word `rules`. The rule compares the texts of paths alone: no format and no pattern of the parameter satisfies it, only
 * other paths would (docs/decisions/0059). test/infra/gateway.test.ts sends a request to each operation.
 */
function isToldApartById(message: string): boolean {
  const paths = [...message.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
  const isEither = (start: RegExp) => paths.some((path) => start.test(path));
  return (
    isEither(/^\/api\/v1\/(?:findings|assets)\/\{id\}\//) && isEither(/^\/api\/v1\/(?:findings|assets)\/[a-z-]+\//)
  );
}
