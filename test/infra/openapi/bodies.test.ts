import { expect, test } from 'vitest';
import { areas } from '#functions/contract.ts';
import { apiDocument } from '#infra/openapi/document.ts';
import { checkWhole } from '#shared/platform/http/validate.ts';
import { exampleBody, routes } from '../../support/every-route.ts';

const document = JSON.parse(JSON.stringify(apiDocument(areas)));
const { schemas } = document.components;

type Schema = {
  $ref?: string;
  allOf?: [Schema];
  properties?: Record<string, Schema & { readOnly?: true; anyOf?: { type?: string }[]; type?: string | string[] }>;
  required?: string[];
  additionalProperties?: boolean;
  unevaluatedProperties?: boolean;
  oneOf?: Schema[];
};

const operationOf = ({ method, path }: { method: string; path: string }) => document.paths[path][method.toLowerCase()];

/** The schema that the document gives for the JSON body of an operation. */
function bodyOf(route: { method: string; path: string }): Schema {
  return named(operationOf(route).requestBody.content['application/json'].schema);
}

/** The schema with the members of the one that it names. */
function named(schema: Schema): Schema {
  const $ref = schema.$ref ?? schema.allOf?.[0].$ref;
  return $ref ? { ...schemas[$ref.split('/').at(-1) ?? ''], ...schema } : schema;
}

const isClosed = (schema: Schema): boolean =>
  schema.additionalProperties === false ||
  schema.unevaluatedProperties === false ||
  (schema.oneOf?.map(named).every(isClosed) ?? false);

const withBody = routes.filter(({ body }) => body);

function refusesUnknown({ body, lenient, example }: (typeof routes)[number]): boolean {
  if (!body || lenient) return false;
  try {
    checkWhole(body, { ...Object(exampleBody({ body } as (typeof routes)[number])), ...example, unknownHere: 1 });
    return false;
  } catch (error) {
    return /unknownHere: unknown field/.test(String(error));
  }
}

test('a generated client sees for each body whether unknown fields are refused', () => {
  const told = withBody.map((route) => [route.name, isClosed(bodyOf(route))]);
  expect(told).toEqual(withBody.map((route) => [route.name, refusesUnknown(route)]));
});

test('a generated client may send any one field of a PATCH, and must send what creates a record', () => {
  const required = withBody
    .filter(({ method }) => method === 'PATCH')
    .flatMap((route) => (bodyOf(route).required ? [route.name] : []));
  expect(required).toEqual([]);
  expect(schemas.CreateEngagementBody.required).toEqual(['title', 'kind', 'targets', 'taskTypes']);
  expect(schemas.CreateEngagementBody.properties).not.toHaveProperty('createdAt');
});

test('a generated client may send null where it clears a field, and only there', () => {
  const { properties = {} } = bodyOf(operationNamed('updateGroup'));
  const takesNull = Object.keys(properties).filter((name) => {
    const { readOnly, anyOf, type } = properties[name] ?? {};
    return !readOnly && (anyOf?.some((one) => one.type === 'null') || type?.includes('null'));
  });
  const ours = [
    'name',
    'description',
    'zone',
    'scannerIds',
    'dispatch',
    'routing',
    'taskTypes',
    'maxConcurrentTasks',
    'tags',
  ];
  expect(Object.keys(properties).filter((name) => !properties[name]?.readOnly)).toEqual(ours);
  expect(takesNull).toEqual(ours.filter((name) => name !== 'name'));
});

function operationNamed(name: string) {
  const route = routes.find((one) => one.name === name);
  if (!route) throw new Error(`there is no operation ${name}`);
  return route;
}

test('a reader of an answer knows which fields are always there, also where a request may leave them out', () => {
  expect(schemas.ScannerGroup.required).toEqual(
    expect.arrayContaining(['id', 'name', 'zone', 'dispatch', 'routing', 'maxConcurrentTasks']),
  );
  expect(schemas.ScannerGroup).not.toHaveProperty('additionalProperties');
});

test('a tool that follows links gets from a creation to the record, and from a queued operation to its task', () => {
  const linksOf = (name: string) => operationOf(operationNamed(name)).responses[200].links;
  const id = '$response.body#/id';
  expect(linksOf('createGroup')).toEqual({
    getGroup: { operationId: 'getGroup', parameters: { id } },
    updateGroup: { operationId: 'updateGroup', parameters: { id } },
    deleteGroup: { operationId: 'deleteGroup', parameters: { id } },
  });
  expect(linksOf('createEnvironment').updateEnvironment.parameters).toEqual({ id: '$request.path.id', env_id: id });
  expect(linksOf('importFindings')).toEqual({
    getTask: { operationId: 'getTask', parameters: { id: '$response.body#/taskId' } },
  });
});

test('a client finds HTTP Basic where the token endpoint takes it, and the form of the document itself', () => {
  const { security } = operationOf(operationNamed('issueToken'));
  expect(security).toEqual([{ basic: [] }, {}]);
  expect(document.components.securitySchemes.basic).toMatchObject({ type: 'http', scheme: 'basic' });
  const { content } = operationOf(operationNamed('getApiDocument')).responses[200];
  expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/OpenApiDocument' });
  expect(Object.keys(document)).toEqual(expect.arrayContaining(schemas.OpenApiDocument.required));
});

test('a generated client need not send a field that has a default', () => {
  const reached = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      if (!reached.has(name)) {
        reached.add(name);
        follow(schemas[name]);
      }
  };
  const bodies = withBody.map((route) => operationOf(route).requestBody.content['application/json'].schema);
  follow(bodies);
  const forced: string[] = [];
  const read = (schema: unknown, place: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { required = [], properties = {} } = schema as Schema;
    for (const name of Array.isArray(required) ? required : [])
      if ('default' in Object(properties[name])) forced.push(`${place}.${name}`);
    for (const [key, inner] of Object.entries(schema)) read(inner, `${place}/${key}`);
  };
  for (const name of reached) read(schemas[name], name);
  read(bodies, 'bodies');
  expect(reached.size).toBeGreaterThan(50);
  expect(forced).toEqual([]);
});

test('schemas have the forms that generators read: a default is no object, and no map has a choice with null', () => {
  const wrong: string[] = [];
  const read = (schema: unknown, place: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { default: value, additionalProperties: values, type } = schema as Record<string, unknown>;
    const isDefault = 'type' in schema && typeof value === 'object' && value !== null && !Array.isArray(value);
    const hasNull = JSON.stringify(Object(values).anyOf ?? []).includes('{"type":"null"}');
    const isMixed = Array.isArray(type) && type.filter((one) => one !== 'null').length > 1;
    if (isDefault || hasNull || isMixed) wrong.push(place);
    for (const [key, inner] of Object.entries(schema))
      if (key !== 'example' && key !== 'default') read(inner, `${place}/${key}`);
  };
  read(document, '');
  expect(wrong).toEqual([]);
  const { parameters } = schemas.CreateEngagementBody.properties;
  expect(parameters.description).toMatch(/; Default: `\{\}`$/);
});

test('an operation of machines that shares its record with others says what it requires', () => {
  const sharing = routes.filter(({ needs }) => needs);
  expect(sharing.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['linkAgent', 'linkScanner', 'leaseApexTasks']),
  );
  for (const route of sharing) expect(bodyOf(route).required, route.name).toEqual(route.needs);
  expect(schemas.ScannerDataSource.required).toBeUndefined();
});
