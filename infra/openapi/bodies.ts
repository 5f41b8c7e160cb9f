import * as z from 'zod';
import { isClearable, isReadOnly, patchField, sourceOf, writableFields } from '#shared/platform/http/records.ts';
import type { Route } from '#shared/platform/http/route.ts';

type Shown = { schema: z.ZodType; example: z.ZodType; record?: string };

/**
 * The schema of a body in the document, the schema that gives its example, and the name of the record that the body
 * makes or changes. A body derived from a record is a schema of its own: it lacks fields that answers always have.
 */
export function shownBody(operationId: string, { method }: Route, body: z.ZodType): Shown {
  const source = sourceOf(body);
  if (!source) return { schema: body, example: body };
  const { record, named } = source;
  const name = named.meta()?.id;
  // A name with this ending belongs only to the change; any other name is the record's, which answers have too.
  const isOwnName = method === 'PATCH' && name?.endsWith('Update');
  const id = isOwnName ? name : `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Body`;
  if (method !== 'PATCH') return { schema: body.meta({ id }), example: body, record: name };
  const whole = record.extend(named.shape);
  const example = whole.pick(maskOf(whole));
  return { schema: shownPatch(whole).meta({ id }), example, record: isOwnName ? undefined : name };
}

/** The fields that a caller may set. */
const maskOf = (record: z.ZodObject): Record<string, true> =>
  Object.fromEntries(writableFields(record).map((name) => [name, true]));

const fieldOf = (shape: z.core.$ZodLooseShape, name: string) => shape[name] as z.ZodType;

/** All fields are optional; null clears a field that allows it. Fields of the server may be sent back unchanged. */
function shownPatch({ shape }: z.ZodObject): z.ZodObject {
  const fields = Object.keys(shape).map((name) => {
    const field = fieldOf(shape, name);
    if (isReadOnly(field)) return [name, field.optional()];
    const patch = isClearable(field) ? patchField(field) : withoutNull(patchField(field));
    const { description } = field.meta() ?? {};
    return [name, description === undefined ? patch : patch.meta({ description })];
  });
  return z.strictObject(Object.fromEntries(fields));
}

function withoutNull(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable)
    return withoutNull(field.unwrap() as z.ZodType).optional();
  return field;
}
