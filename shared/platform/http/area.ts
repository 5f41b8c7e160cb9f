import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as z from 'zod';
import { actorOf } from '../auth/actor.ts';
import { authenticate } from '../auth/authenticate.ts';
import { tellEvent } from '../auth/events.ts';
import { type Caller, isAllowed, refusalOf } from '../auth/permissions.ts';
import { openConnections } from '../runtime/connections.ts';
import { withinTime } from '../runtime/deadline.ts';
import { ApiError, type ErrorCode, errorStatus, invalid } from '../runtime/errors.ts';
import { log } from '../runtime/log.ts';
import { shortened } from '../runtime/texts.ts';
import type { Cause } from '../table/actor.ts';
import { openTable } from '../table/table.ts';
import { withAccessLog } from './access-log.ts';
import { bodyParser, bytesOf, valueIn } from './body.ts';
import { countRequest, whileHeld } from './fair-use.ts';
import { passFront } from './front.ts';
import { withIdempotency } from './idempotency.ts';
import { type Incoming, type Result, secondsHeld } from './incoming.ts';
import type { Handlers, RawAnswer, Route, Routes } from './route.ts';
import { makeRouter, methodsOf } from './router.ts';
import { check, checkWhole, strictest } from './validate.ts';

export type AreaHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Result>;

/**
 * The Lambda of an area: finds the route, checks the credential, parses the request, calls the handler, answers.
 * It routes by method and path itself, so that the gateway may hold one route per operation or one per area.
 */
export function areaHandler<const R extends Routes>(routes: R, handlers: Handlers<R>): AreaHandler {
  const find = makeRouter(routes);
  const pipeline = middy<Incoming, Result>()
    .before(({ event }) => admit(event))
    .use(bodyParser)
    .onError((request) => {
      request.response = errorAnswer(request.error, request.event);
    })
    .handler((event: Incoming) => answer(handlers[event.match.name] as never, event)) as unknown as (
    event: Incoming,
    context: Context,
  ) => Promise<Result>;
  return (event, context) => {
    const match = find(event.requestContext.http.method, event.rawPath);
    if (!match) return unanswered(routes, { ...event });
    const incoming: Incoming = { ...event, match, sent: event.body ?? '' };
    return withAccessLog(incoming, () => withinTime(context, () => pipeline(incoming, context)));
  };
}

/** Authenticates the caller before the body is read. */
async function admit(event: Incoming): Promise<void> {
  await passFront(event);
  const { route } = event.match;
  if (route.access !== 'public') {
    const connections = openConnections();
    event.caller = await authenticate(connections, event.headers.authorization, causeOf(event));
    await countRequest(connections.dynamo, event.caller.organizationId);
    if (!isAllowed(event.caller, route.access)) await refuse(event.caller, event);
  }
  const query = route.file?.isFile(event) ? route.file.query : route.query;
  event.query = parseQuery({ ...route, query }, event.queryStringParameters ?? {});
}

/** @throws insufficient_scope; the audit log is told */
async function refuse(caller: Caller, event: Incoming): Promise<never> {
  const reason = refusalOf(caller, event.match.route.access);
  const author = { ...actorOf(caller), cause: causeOf(event) };
  await tellEvent(
    openConnections().dynamo,
    { organizationId: caller.organizationId, author },
    { kind: 'refused', reason },
  );
  throw new ApiError('insufficient_scope', reason);
}

const causeOf = ({ match, requestContext: { requestId, http } }: Incoming): Cause => ({
  operation: match.name,
  requestId,
  ip: http.sourceIp,
});

const NO_BYTES = new Uint8Array();

type AnyHandler = (call: object) => Promise<unknown>;

async function answer(handler: AnyHandler, event: Incoming): Promise<Result> {
  const connections = openConnections();
  const { caller, query, headers } = event;
  const { route, params } = event.match;
  const { requestId, http } = event.requestContext;
  const request = { id: requestId, ip: http.sourceIp, headers, bytes: route.signed ? bytesOf(event) : NO_BYTES };
  const cause = causeOf(event);
  const body = route.signed ? () => parseBody(route, valueIn(event)) : parseBody(route, event.value);
  const table = caller && openTable(connections.dynamo, caller.organizationId, { ...actorOf(caller), cause });
  const call = { params, query, body, table, caller, cause, connections, request, ifMatch: headers['if-match'] };
  const respond = async () => checked(route, await unlessTooMany(event, () => handler(call)));
  const key = http.method === 'POST' && caller ? headers['idempotency-key'] : undefined;
  const result = key && table ? await withIdempotency({ table, key, event }, respond) : await respond();
  return isRaw(route) ? rawAnswer(result as RawAnswer) : jsonAnswer(200, result, requestId);
}

/** A request that waits for the end of a task is one of those that its organization may hold. */
function unlessTooMany<T>({ caller, query }: Incoming, respond: () => Promise<T>): Promise<T> {
  const seconds = secondsHeld({ query });
  if (!caller || seconds === 0) return respond();
  return whileHeld(openConnections().dynamo, { organizationId: caller.organizationId, seconds }, respond);
}

function parseBody(route: Route, value: unknown): unknown {
  if (!route.body) return parseNoBody(route, value);
  const given = value === undefined ? {} : value;
  if (!route.lenient) return checkWhole(route.body, given);
  countUnknownFields(route, given);
  return check(route.body, given, 'body');
}

/** Refuses unknown parameters; public pages and machines of another release may send some. */
function parseQuery({ query, instead = {}, access, lenient }: Route, parameters: object) {
  for (const name in parameters) if (Object.hasOwn(instead, name)) throw invalid(name, instead[name] ?? '');
  if (query) return check(strictest(query), parameters, 'query');
  return access === 'public' || lenient ? {} : check(nothing, parameters, 'query');
}

const nothing = z.strictObject({});

/** A caller who sends `{engagementId}` to an operation that stops everything must not be told that all is well. */
function parseNoBody({ access, lenient }: Route, value: unknown): undefined {
  if (access !== 'public' && !lenient) check(nothing, value ?? {}, 'body');
}

const LOGGED_FIELDS = 20;
const LOGGED_NAME = 100;

/** Logs fields that only a newer release of a machine knows. */
function countUnknownFields({ body, path }: Route, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const known = new Set(body && 'shape' in body ? Object.keys(body.shape as object) : []);
  const unknown = Object.keys(value).filter((name) => !known.has(name));
  const fields = unknown.slice(0, LOGGED_FIELDS).map((name) => shortened(name, LOGGED_NAME));
  if (unknown.length > 0) log.info('unknown fields ignored', { path, fields, count: unknown.length });
}

/** In tests, an answer that does not fit its schema is an internal error. */
function checked(route: Route, body: unknown): unknown {
  if (isRaw(route) || openConnections().settings.CHECK_RESPONSES === '0' || !('safeParse' in route.response))
    return body;
  const result = strictest(route.response).safeParse(JSON.parse(JSON.stringify(body)));
  if (!result.success)
    throw new Error(`the answer of ${route.method} ${route.path} does not fit its schema: ${result.error.message}`);
  return body;
}

const isRaw = (route: Route): boolean => 'contentType' in route.response;

const jsonAnswer = (statusCode: number, body: unknown, requestId: string): Result => ({
  statusCode,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
  },
  body: JSON.stringify(body),
});

const rawAnswer = ({ contentType, body, base64 = false, headers }: RawAnswer): Result => ({
  statusCode: 200,
  headers: { 'content-type': contentType, 'cache-control': 'no-store', ...headers },
  body,
  isBase64Encoded: base64,
});

/** The one place where errors become answers. An error that is no ApiError goes to the log, not to the caller. */
function errorAnswer(error: unknown, { headers, requestContext: { requestId } }: APIGatewayProxyEventV2): Result {
  if (error instanceof ApiError) {
    const { code, message, details, current } = error;
    const answer = jsonAnswer(errorStatus[code], { code, message, details, current, requestId }, requestId);
    if (answer.statusCode !== 401) return answer;
    return { ...answer, headers: { ...answer.headers, 'www-authenticate': challenge(code, headers.authorization) } };
  }
  log.error('request failed', { requestId, error });
  const message = 'Something went wrong on our side. Try again, and report the request id if the error persists.';
  return jsonAnswer(500, { code: 'internal_error', message, requestId }, requestId);
}

/** A 401 names the ways to authenticate (RFC 9110, section 15.5.2; RFC 6750, section 3). */
function challenge(code: ErrorCode, authorization = ''): string {
  if (code === 'insufficient_scope') return 'Bearer error="insufficient_scope"';
  // Only for a client that used it (RFC 6749, section 5.2): a browser would ask its user for a password.
  if (/^basic\b/i.test(authorization) && code === 'invalid_client') return 'Basic realm="clients"';
  return code === 'unauthorized' && authorization ? 'Bearer error="invalid_token"' : 'Bearer';
}

const unanswered = (routes: Routes, event: APIGatewayProxyEventV2): Promise<Result> =>
  withAccessLog(event, async () => {
    const refusal = await passFront(event).catch((error: unknown) => error);
    return errorAnswer(refusal ?? noRoute(routes, event), event);
  });

function noRoute(routes: Routes, event: APIGatewayProxyEventV2): ApiError {
  const methods = methodsOf(routes, event.rawPath);
  const { method } = event.requestContext.http;
  if (methods.length === 0) return new ApiError('not_found', `There is no operation ${method} ${event.rawPath}.`);
  return new ApiError('not_found', `${event.rawPath} answers ${methods.join(', ')}, not ${method}.`);
}
