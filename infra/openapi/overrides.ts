import * as z from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';

type Context = Parameters<ZodOpenApiOverride>[0];

/** What the document says differently from the JSON Schema that zod makes. */
export const overrides: ZodOpenApiOverride = (context) => {
  oneSchemaBothWays(context);
  tellDefault(context);
  listKeys(context);
  dropMachineBounds(context);
};

/**
 * A named record is one schema in requests and in answers. JSON Schema made from zod differs between the two in what
 * is required (a default makes a field optional on the way in only) and in unknown fields; the way in is kept for both.
 */
function oneSchemaBothWays({ zodSchema, jsonSchema, io }: Context): void {
  if (io === 'input' || !(zodSchema instanceof z.ZodObject)) return;
  const required = Object.entries(zodSchema.shape)
    .filter(([, field]) => field._zod.optin === undefined)
    .map(([name]) => name);
  if (required.length > 0) jsonSchema.required = required;
  else delete jsonSchema.required;
  if (!(zodSchema.def.catchall instanceof z.ZodNever)) delete jsonSchema.additionalProperties;
}

/** zod leaves the default out where a text from the query becomes a number first. */
function tellDefault({ zodSchema, jsonSchema }: Context): void {
  if (!(zodSchema instanceof z.ZodDefault)) return;
  const value = zodSchema.def.defaultValue;
  if (['number', 'boolean', 'string'].includes(typeof value)) jsonSchema.default ??= value;
}

/** A record with a closed set of keys is shown as an object with these fields, which readers and generators understand. */
function listKeys({ zodSchema, jsonSchema }: Context): void {
  if (!(zodSchema instanceof z.ZodRecord) || !(zodSchema.def.keyType instanceof z.ZodEnum)) return;
  const value = jsonSchema.additionalProperties;
  if (typeof value !== 'object') return;
  jsonSchema.properties = Object.fromEntries(zodSchema.def.keyType.options.map((key) => [key, { ...value }]));
  delete jsonSchema.propertyNames;
  delete jsonSchema.additionalProperties;
}

/** The bounds of safe integers tell a reader nothing. */
function dropMachineBounds({ jsonSchema }: Context): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
