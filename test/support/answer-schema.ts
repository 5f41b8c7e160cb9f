import * as z from 'zod';

export type Schema = {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
};

/** The schema of an answer as API documents have it. */
export const schemaOf = (response: z.ZodType) =>
  z.toJSONSchema(response, { unrepresentable: 'any', io: 'output' }) as Schema;
