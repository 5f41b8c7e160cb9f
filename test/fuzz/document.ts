import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Client, RawAnswer } from '../support/client.ts';

/** A schema of the document, as far as values are made from it. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  example?: unknown;
  examples?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  format?: string;
};

type Parameter = { in: string; name: string; required?: boolean; schema: Schema };
type Media = { schema?: Schema; example?: unknown };
type Described = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
};

export type Operation = {
  name: string;
  method: string;
  path: string;
  query: Parameter[];
  body: Media | undefined;
  /** @returns how the answer differs from the schema of its status */
  judge(answer: RawAnswer): string | undefined;
};

export type Document = { operations: Operation[]; resolve(schema: Schema): Schema };

type Served = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, { content?: Record<string, Media> }> };
};

/** The document that the system serves, which is all that the fuzzed requests and the judgement of answers know. */
export async function readDocument(client: Client): Promise<Document> {
  const served = JSON.parse(JSON.stringify(await client.ok('getApiDocument'))) as Served;
  const checks = new Ajv2020({ strict: false });
  formats.default(checks);
  checks.addSchema({ $id: 'document', components: served.components });
  const operations = Object.entries(served.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const { operationId, parameters = [], requestBody } = described;
      return {
        name: operationId,
        method: method.toUpperCase(),
        path,
        query: parameters.filter((one) => one.in === 'query'),
        body: requestBody?.content['application/json'],
        judge: judgeOf(described, served, checks),
      };
    }),
  );
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(served.components.schemas[lastPart(schema.$ref)] ?? {});
  return { operations, resolve };
}

const lastPart = (reference: string): string => reference.split('/').at(-1) ?? '';

function judgeOf({ responses }: Described, { components }: Served, checks: Ajv2020): Operation['judge'] {
  const compiled = new Map<string, ValidateFunction>();
  return ({ status, body, headers }) => {
    const declared = responses[status];
    if (!declared) return `the status ${status} is not in the document`;
    const { content = {} } = declared.$ref ? (components.responses[lastPart(declared.$ref)] ?? {}) : declared;
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    const media = content[type];
    if (!media) return `the media type ${type} is not in the document`;
    if (type !== 'application/json' || !media.schema) return undefined;
    const key = `${status}`;
    const check = compiled.get(key) ?? checks.compile(within(media.schema));
    compiled.set(key, check);
    return check(body) ? undefined : differenceIn(body, check.errors ?? []);
  };
}

/** The first difference, and the record of a list in which it is. */
function differenceIn(body: unknown, [first]: readonly ErrorObject[]): string {
  const { instancePath = '', message, params } = first ?? {};
  const [, list = '', n = ''] = instancePath.split('/');
  const record: unknown = Object(Object(body)[list])[n];
  return `${instancePath} ${message} ${JSON.stringify(params)} ${JSON.stringify(record)?.slice(0, 2_500) ?? ''}`;
}

/** The schema with references that lead into the document. */
const within = (schema: Schema): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));
