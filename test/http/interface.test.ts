import { describe, expect, test } from 'vitest';
import { areas } from '#functions/contract.ts';
import { apiDocument } from '#infra/openapi/document.ts';
import theInterface from '../interface.json' with { type: 'json' };

/** The interface's 159 operations (test/interface.json), and ours beside them. */
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

const served = new Map(areas.flatMap(({ routes }) => Object.values(routes)).map((route) => [nameOf(route), route]));
const listed = new Map(theInterface.operations.map((operation) => [nameOf(operation), operation]));
const expected = theInterface.operations;
const document = apiDocument(areas);

test('the list of the interface is complete', () => {
  expect(listed.size).toBe(159);
});

test('every operation of the interface is served', () => {
  expect(expected.map(nameOf).filter((name) => !served.has(name))).toEqual([]);
});

test("operations carry the interface's names", () => {
  const names = expected.map((operation) => [nameOf(operation), operation.operation]);
  const ours = expected.map((operation) => [nameOf(operation), served.get(nameOf(operation))?.operation]);
  expect(ours).toEqual(names);
});

describe('named records', () => {
  const { requestBodies, responses } = theInterface.records;
  const named = (text: string | undefined, names: string[]) =>
    names.filter((name) => text?.match(RegExp(`\\b${name}\\b`)));
  const wanted = expected.flatMap((operation) => [
    ...named(operation.input, requestBodies).map((record) => ({ ...operation, record, part: 'requestBody' as const })),
    ...named(operation.response, responses).map((record) => ({ ...operation, record, part: 'responses' as const })),
  ]);

  test.each(wanted)('$method $path refers to $record by name', ({ method, path, part, record }) => {
    const item: Record<string, unknown> = { ...document.paths?.[path] };
    const operation: Record<string, unknown> = { ...Object(item[method.toLowerCase()]) };
    const described = part === 'responses' ? Object(operation.responses)['200'] : operation.requestBody;
    expect(JSON.stringify(described ?? null)).toContain(`"#/components/schemas/${record}"`);
  });

  test('are the same in requests and answers', () => {
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names.filter((name) => /Output$|^__schema/.test(name))).toEqual([]);
  });

  test('include Error for errors', () => {
    expect(document.components?.schemas).toHaveProperty('Error');
  });
});
