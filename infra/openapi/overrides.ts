import * as z from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';

type Context = Parameters<ZodOpenApiOverride>[0];

/** The document's differences from zod's JSON Schema. */
export const overrides: ZodOpenApiOverride = (context) => {
  openAnswers(context);
  completeExample(context);
  tellDefault(context);
  listKeys(context);
  dropMachineBounds(context);
};

/** Leaves answers open: a later release may add fields. */
function openAnswers({ zodSchema, jsonSchema, io }: Context): void {
  if (io === 'input' || !(zodSchema instanceof z.ZodObject)) return;
  const { catchall } = zodSchema.def;
  if (catchall === undefined || catchall instanceof z.ZodUnknown) delete jsonSchema.additionalProperties;
}

/** An answer has the fields too that the example, a request, leaves to their defaults. */
function completeExample({ zodSchema, jsonSchema, io }: Context): void {
  if (io === 'input' || typeof jsonSchema.example !== 'object') return;
  const { success, data } = z.safeParse(zodSchema, jsonSchema.example);
  if (success) jsonSchema.example = data;
}

/** Restores defaults: zod omits them where a query text is first turned into a number. */
function tellDefault({ zodSchema, jsonSchema }: Context): void {
  if (!(zodSchema instanceof z.ZodDefault)) return;
  const value = zodSchema.def.defaultValue;
  if (['number', 'boolean', 'string'].includes(typeof value)) jsonSchema.default ??= value;
}

/** Shows a record with a closed set of keys as an object with these fields, which readers and generators understand. */
function listKeys({ zodSchema, jsonSchema }: Context): void {
  if (!(zodSchema instanceof z.ZodRecord) || !(zodSchema.def.keyType instanceof z.ZodEnum)) return;
  const value = jsonSchema.additionalProperties;
  if (typeof value !== 'object') return;
  jsonSchema.properties = Object.fromEntries(zodSchema.def.keyType.options.map((key) => [key, { ...value }]));
  delete jsonSchema.propertyNames;
  delete jsonSchema.additionalProperties;
}

/** Removes the bounds of safe integers, which do not help a reader. */
function dropMachineBounds({ jsonSchema }: Context): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
