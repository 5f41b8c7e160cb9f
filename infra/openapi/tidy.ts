import { isDeepStrictEqual } from 'node:util';
import type { createDocument } from 'zod-openapi';

/**
 * zod-openapi splits a record into `Name` and `NameOutput` when its requests and answers differ. They may differ in
 * required fields (one with a default is optional in requests), in examples and beside references; this keeps the
 * schema of requests for both. If twins differ otherwise, this merges nothing and a test names the twins.
 */
export function tidy(document: ApiDocument): ApiDocument {
  const names = Object.keys(document.components?.schemas ?? {});
  const twins = names.filter((name) => name.endsWith('Output') && names.includes(original(name)));
  const merged: ApiDocument = JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === '$ref' && typeof value === 'string')
      return twins.some((name) => value.endsWith(`/${name}`)) ? original(value) : value;
    if (key === 'x-record' && !names.includes(nameOf(value.$ref))) return undefined;
    return isReference(value) ? plainReference(value) : value;
  });
  const schemas = { ...merged.components?.schemas };
  if (twins.some((name) => !isDeepStrictEqual(fieldsOf(schemas[name]), fieldsOf(schemas[original(name)]))))
    return document;
  return { ...merged, components: { ...merged.components, schemas: without(schemas, twins) } };
}

const MAY_DIFFER = ['required', 'example'];

export const nameOf = ($ref: string): string => $ref.split('/').at(-1) ?? '';

const original = (name: string): string => name.replace(/Output$/, '');

const fieldsOf = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema), (key, value) => (MAY_DIFFER.includes(key) ? undefined : value));

const isReference = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && '$ref' in value;

/**
 * Wraps references that have siblings (`readOnly`, a description) in `allOf`: OpenAPI 3.1 allows siblings, but many
 * tools ignore them.
 */
function plainReference({ $ref, additionalProperties: _, ...beside }: Record<string, unknown>) {
  return Object.keys(beside).length === 0 ? { $ref } : { ...beside, allOf: [{ $ref }] };
}

const without = <T>(value: Record<string, T>, names: string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key)));
export type ApiDocument = ReturnType<typeof createDocument>;
