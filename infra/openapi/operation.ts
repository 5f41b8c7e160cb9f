import * as z from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { areaOf, describeAccess, holds, ROLES } from '#shared/platform/auth/permissions.ts';
import { sizeOf } from '#shared/platform/http/body-size.ts';
import { type Route, useOf } from '#shared/platform/http/route.ts';
import { SCIM_MEDIA_TYPE } from '#shared/platform/http/scim.ts';
import { shownBody } from './bodies.ts';
import { LENIENT, NEEDS } from './closed.ts';
import { errorResponses, limitedResponses, scimResponses } from './errors.ts';
import { exampleOf } from './example.ts';

/** The operation of the document for a route. */
export function operationOf(operationId: string, area: string, route: Route): ZodOpenApiOperationObject {
  const { summary, access, operation } = route;
  return {
    operationId,
    summary,
    description: describe(route),
    tags: [area],
    security: securityOf(route),
    'x-access': access,
    'x-use': useOf(route),
    ...rolesOf(route),
    ...(route.lenient && { [LENIENT]: true }),
    ...(route.needs && { [NEEDS]: route.needs }),
    ...(operation && { 'x-interface-operation': operation }),
    ...(route.inPart && { 'x-part': route.inPart }),
    ...(route.irreversible && { 'x-irreversible': route.irreversible }),
    ...(route.answersSecret && { 'x-answers-secret': true }),
    ...parametersOf(route),
    ...(route.body && { requestBody: bodyOf(operationId, route, route.body) }),
    responses: { [route.status ?? 200]: answerOf(route), ...errorsOf(route) },
  };
}

function errorsOf({ dialect, limited }: Route) {
  if (dialect === 'scim') return scimResponses;
  return limited ? limitedResponses : errorResponses;
}

/** The token endpoint (RFC 6749) takes the client by HTTP Basic or in the body. */
function securityOf({ access, form }: Route): Record<string, string[]>[] {
  if (form) return [{ basic: [] }, {}];
  return access === 'public' ? [] : [{ bearer: [] }];
}

/** Whether a request changes many records, so that no version and no field of the body belongs to one record. */
const changesMany = ({ method, body }: Route): boolean =>
  method === 'PATCH' && body instanceof z.ZodObject && 'changes' in body.shape;

const MERGE_PATCH = 'send the fields that change; null clears a field.';

/** The built-in roles that open an operation, and the area in which custom roles have a level. */
function rolesOf(route: Route) {
  const { access } = route;
  if (typeof access === 'string' || !(access.role ?? access.staff)) return undefined;
  const roles = ROLES.filter((role) => holds({ role }, access, useOf(route)));
  return { 'x-roles': roles, ...(access.role && { 'x-role-area': areaOf(access) }) };
}

function describeRoles(route: Route): string | undefined {
  const { 'x-roles': roles, 'x-role-area': area } = rolesOf(route) ?? {};
  return (
    roles &&
    `Roles: ${roles.map((role) => `\`${role}\``).join(', ')}${area ? `; area of custom roles: \`${area}\`` : ''}.`
  );
}

const PARTS = {
  seen: 'A role for a part of the organization opens it for the records of this part.',
  same: 'A role for a part of the organization opens it.',
};

const IRREVERSIBLE =
  'Where the organization demands a second person for what cannot be undone, the first request is answered with `approval_required`, and the ' +
  'same request of a second person carries it out.';

function describe(route: Route): string {
  const { method, description, access, lenient, maxBody } = route;
  const parts = [
    description,
    access === 'public' ? 'Needs no credential.' : `Needs ${describeAccess(access)}.`,
    describeRoles(route),
    route.inPart && PARTS[route.inPart],
    route.irreversible && IRREVERSIBLE,
    method === 'PATCH' &&
      !route.dialect &&
      `${changesMany(route) ? '`changes`' : 'The body'} is a merge patch: ${MERGE_PATCH}`,
    lenient && 'Unknown fields are ignored.',
    maxBody && `The body is at most ${sizeOf(maxBody)}.`,
  ];
  return parts.filter(Boolean).join('\n\n');
}

const identifier = z.string().meta({ description: 'id of the record' });

const idempotencyKey = z
  .string()
  .max(255)
  .optional()
  .meta({
    param: { id: 'IdempotencyKey', in: 'header', name: 'Idempotency-Key' },
    description:
      'For a day the same key with the same request repeats the answer. Another request with the key is refused. A ' +
      'request whose answer showed a secret cannot be repeated.',
  });

const ifMatch = z
  .string()
  .optional()
  .meta({
    param: { id: 'IfMatch', in: 'header', name: 'If-Match' },
    description:
      'The `version` of the record that you read. Another version is refused as `conflict`; `*` accepts any.',
  });

/** Whether the body's `version` is the record's; a machine's `version` is the version of its software. */
const takesVersion = (route: Route): boolean =>
  route.method === 'PATCH'
    ? !route.dialect && !changesMany(route)
    : !route.lenient && route.body instanceof z.ZodObject && 'version' in route.body.shape;

function parametersOf(route: Route): Partial<ZodOpenApiOperationObject> {
  const { method, path, access } = route;
  const query = route.file?.query ?? route.query;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const headers = [
    ...(method === 'POST' && access !== 'public' ? [idempotencyKey] : []),
    ...(takesVersion(route) ? [ifMatch] : []),
  ];
  const pathShape = z.object(Object.fromEntries(names.map((name) => [name, identifier])));
  return {
    requestParams: { ...(names.length > 0 && { path: pathShape }), ...(query && { query }) },
    ...(headers.length > 0 && { parameters: headers }),
  };
}

/** Media types of the files that callers send; any other is taken too. */
const FILES = ['application/sarif+json', 'application/xml', 'text/csv', 'application/octet-stream'];

function bodyOf(operationId: string, route: Route, body: z.ZodType): ZodOpenApiOperationObject['requestBody'] {
  const { form, file, example: given } = route;
  const { schema, example: shown, record } = shownBody(operationId, route, body);
  const media = {
    schema,
    ...(record && { 'x-record': { $ref: `#/components/schemas/${record}` } }),
    example: given ? withFields(shown, given) : exampleOf(shown),
  };
  return {
    required: route.needs !== undefined || !body.safeParse({}).success,
    content: {
      [route.dialect ? SCIM_MEDIA_TYPE : 'application/json']: media,
      ...(form && { 'application/x-www-form-urlencoded': media }),
      ...(file && Object.fromEntries(FILES.map((type) => [type, { schema: z.string() }]))),
    },
  };
}

/** The example of a body with further fields, in the order of the schema. */
function withFields(body: z.ZodType, fields: object): object {
  const given = { ...Object(exampleOf(body)), ...fields };
  const names = body instanceof z.ZodObject ? Object.keys(body.shape).filter((name) => name in given) : [];
  return { ...Object.fromEntries(names.map((name) => [name, given[name]])), ...given };
}

function answerOf({ response, dialect, status }: Route) {
  const description = 'Done.';
  if (status === 204) return { description };
  if (!(response instanceof z.ZodType)) {
    const [mediaType = ''] = response.contentType.split(';');
    return { description, content: { [mediaType]: { schema: response.schema ?? z.string() } } };
  }
  return { description, content: { [dialect ? SCIM_MEDIA_TYPE : 'application/json']: { schema: response } } };
}
