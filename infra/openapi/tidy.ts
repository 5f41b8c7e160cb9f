import { isDeepStrictEqual } from 'node:util';
import type { createDocument } from 'zod-openapi';

/**
 * zod-openapi splits a record into `Name` and `NameOutput` as soon as it is written differently in requests and answers.
 * What is left of the differences after `overrides` stands beside references only and says nothing; the twins become
 * one again. If some really differ everything stays as it is, and a test names them.
 */
export function tidy(document: ApiDocument): ApiDocument {
  const names = Object.keys(document.components?.schemas ?? {});
  const twins = names.filter((name) => name.endsWith('Output') && names.includes(original(name)));
  const merged: ApiDocument = JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === '$ref' && typeof value === 'string')
      return twins.some((name) => value.endsWith(`/${name}`)) ? original(value) : value;
    return isReference(value) ? plainReference(value) : value;
  });
  const schemas = { ...merged.components?.schemas };
  if (twins.some((name) => !isDeepStrictEqual(schemas[name], schemas[original(name)]))) return document;
  return { ...merged, components: { ...merged.components, schemas: without(schemas, twins) } };
}

const original = (name: string): string => name.replace(/Output$/, '');

const isReference = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && '$ref' in value;

/** What stands beside a reference (`readOnly`, a description) is legal since 3.1, but many tools read `allOf` only. */
function plainReference({ $ref, additionalProperties: _, ...beside }: Record<string, unknown>) {
  return Object.keys(beside).length === 0 ? { $ref } : { ...beside, allOf: [{ $ref }] };
}

const without = <T>(value: Record<string, T>, names: string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key)));
export type ApiDocument = ReturnType<typeof createDocument>;
