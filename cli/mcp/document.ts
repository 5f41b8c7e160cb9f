import * as z from 'zod';

const Schema = z.record(z.string(), z.unknown());
export type Schema = z.infer<typeof Schema>;

const Parameter = z.object({
  in: z.enum(['path', 'query', 'header', 'cookie']),
  name: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: Schema,
});
type Parameter = z.infer<typeof Parameter>;

const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  'x-answers-secret': z.boolean().default(false),
  'x-use': z.enum(['read', 'change']).default('change'),
  parameters: z.array(z.union([Parameter, z.object({ $ref: z.string() })])).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: Schema.default({}) })) }).optional(),
});

/** An operation of the service: what its document says, with its method and path. */
export type Operation = Omit<z.infer<typeof Operation>, 'parameters'> & {
  method: string;
  path: string;
  parameters: Parameter[];
};

export const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), Schema),
    parameters: z.record(z.string(), Parameter).default({}),
  }),
});
type Document = z.infer<typeof Document>;
export type Schemas = Document['components']['schemas'];

/** The operations of a document by their ids. */
export function operationsOf({ paths, components }: Document): Map<string, Operation> {
  const named = ({ $ref }: { $ref: string }) => components.parameters[lastOf($ref)] ?? [];
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const parameters = operation.parameters.flatMap((one) => ('$ref' in one ? named(one) : one));
        return [operation.operationId, { ...operation, method: method.toUpperCase(), path, parameters }] as const;
      }),
    ),
  );
}

const lastOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

const PLACE = '#/components/schemas/';

/** A schema that stands alone: the schemas to which it refers come with it as `$defs`. */
export function alone(schema: Schema, schemas: Schemas): Schema {
  const defs: Record<string, unknown> = {};
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => {
        if (name.startsWith('x-')) return [];
        if (name !== '$ref' || typeof inner !== 'string' || !inner.startsWith(PLACE)) return [[name, moved(inner)]];
        const id = inner.slice(PLACE.length);
        if (!(id in defs)) {
          defs[id] = true;
          defs[id] = moved(schemas[id] ?? {});
        }
        return [[name, `#/$defs/${id}`]];
      }),
    );
  };
  const whole = Object(moved(schema));
  return Object.keys(defs).length > 0 ? { ...whole, $defs: defs } : whole;
}
