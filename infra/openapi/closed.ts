import { type ApiDocument, nameOf } from './tidy.ts';

type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  required?: string[];
  default?: unknown;
  unevaluatedProperties?: boolean;
  additionalProperties?: Schema | boolean;
};
type Schemas = Record<string, Schema>;
type Operation = {
  operationId: string;
  [NEEDS]?: string[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: object;
};

/** Marks a body that accepts unknown fields, for machines of other releases. */
export const LENIENT = 'x-unknown-fields-are-ignored';

/** The fields that an operation requires of a record that it shares with others. */
export const NEEDS = 'x-required-fields';

/** Gives such an operation a schema of its own, in which generators read what is required. */
export function requireNeeded(document: ApiDocument): ApiDocument {
  const { schemas } = document.components as { schemas: Schemas };
  for (const operation of operationsOf(document)) {
    const media = operation.requestBody?.content['application/json'];
    const { [NEEDS]: required, operationId } = operation;
    const $ref = media?.schema?.$ref;
    if (!media || !$ref || !required) continue;
    const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Body`;
    const record = schemas[nameOf($ref)];
    const needed = required.map((field) => [field, withoutDefault(record?.properties?.[field])]);
    schemas[name] = { ...record, properties: { ...record?.properties, ...Object.fromEntries(needed) }, required };
    Object.assign(media, { schema: { $ref: `#/components/schemas/${name}` }, 'x-record': { $ref } });
  }
  return document;
}

function withoutDefault({ default: _, ...schema }: Schema = {}): Schema {
  return schema;
}

/**
 * Closes the objects of bodies that refuse unknown fields. Schemas that answers use too stay open: a later release may
 * add fields to an answer.
 */
export function closeBodies(document: ApiDocument): ApiDocument {
  const { schemas } = document.components as { schemas: Schemas };
  const operations = operationsOf(document);
  const isLenient = (operation: Operation) => LENIENT in operation;
  const open = reached(
    [operations.map((one) => (isLenient(one) ? one : one.responses)), document.components?.responses],
    schemas,
  );
  for (const operation of operations) {
    const media = operation.requestBody?.content['application/json'];
    if (!media?.schema || isLenient(operation)) continue;
    close(media.schema, schemas, open);
    const { $ref } = media.schema;
    if ($ref && isOpen(schemas[nameOf($ref)])) media.schema = { allOf: [{ $ref }], unevaluatedProperties: false };
  }
  return document;
}

const operationsOf = ({ paths }: ApiDocument): Operation[] =>
  Object.values(paths as Record<string, Record<string, Operation>>).flatMap(Object.values);

const isOpen = (schema: Schema | undefined): boolean =>
  schema?.properties !== undefined && schema.additionalProperties === undefined;

/** The names of all schemas to which a part of the document leads. */
function reached(part: unknown, schemas: Schemas): Set<string> {
  const found = new Set<string>();
  const follow = (from: unknown) => {
    for (const [, name = ''] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      if (!found.has(name)) {
        found.add(name);
        follow(schemas[name] ?? null);
      }
  };
  follow(part);
  return found;
}

/** A choice between objects is checked by its own schema, which does not refuse further fields. */
function close(schema: Schema, schemas: Schemas, open: Set<string>): void {
  const inside = (inner: Schema) => close(inner, schemas, open);
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    const target = schemas[name];
    if (target && !open.has(name)) {
      open.add(name);
      inside(target);
    }
    return;
  }
  const alternatives = (schema.anyOf ?? []).filter((one) => Object(one).type !== 'null');
  if (alternatives.length === 1) alternatives.forEach(inside);
  if (schema.items) inside(schema.items);
  if (typeof schema.additionalProperties === 'object') inside(schema.additionalProperties);
  if (!schema.properties) return;
  schema.additionalProperties ??= false;
  Object.values(schema.properties).forEach(inside);
}
