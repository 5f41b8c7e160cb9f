import * as z from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';

/**
 * A named record is one schema in requests and in answers. JSON Schema made from zod differs between the two in what
 * is required (a default makes a field optional on the way in only) and in unknown fields; the way in is kept for both.
 */
export const oneSchema: ZodOpenApiOverride = ({ zodSchema, jsonSchema, io }) => {
  if (io === 'input' || !(zodSchema instanceof z.ZodObject)) return;
  const required = Object.entries(zodSchema.shape)
    .filter(([, field]) => field._zod.optin === undefined)
    .map(([name]) => name);
  if (required.length > 0) jsonSchema.required = required;
  else delete jsonSchema.required;
  if (!(zodSchema.def.catchall instanceof z.ZodNever)) delete jsonSchema.additionalProperties;
};
