import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import * as z from 'zod';
import { actorOf } from '../auth/actor.ts';
import { authenticate } from '../auth/authenticate.ts';
import { describeAccess, isAllowed } from '../auth/permissions.ts';
import { openConnections } from '../runtime/connections.ts';
import { ApiError, type ErrorCode, errorStatus } from '../runtime/errors.ts';
import { log } from '../runtime/log.ts';
import { openTable } from '../table/table.ts';
import { noteCaller, withAccessLog } from './access-log.ts';
import { parseBody } from './body.ts';
import { withIdempotency } from './idempotency.ts';
import type { Handlers, RawAnswer, Route, Routes } from './route.ts';
import { makeRouter, methodsOf } from './router.ts';
import { check, checkWhole, strictest } from './validate.ts';

type Result = APIGatewayProxyStructuredResultV2;
export type AreaHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Result>;

/**
 * The Lambda of an area: finds the route, checks the credential, parses the request, calls the handler, answers.
 * It routes by method and path itself, so that the gateway may hold one route per operation or one per area.
 */
export function areaHandler<const R extends Routes>(routes: R, handlers: Handlers<R>): AreaHandler {
  const find = makeRouter(routes);
  const answer = async (event: APIGatewayProxyEventV2): Promise<Result> => {
    const { method } = event.requestContext.http;
    const match = find(method, event.rawPath);
    if (!match) throw noRoute(routes, event);
    return answerRoute(match.route, handlers[match.name] as never, { event, params: match.params });
  };
  const pipeline = middy<APIGatewayProxyEventV2, Result>()
    .onError((request) => {
      request.response = errorAnswer(request.error, request.event);
    })
    .handler(answer) as unknown as AreaHandler;
  return (event, context) => {
    const route = find(event.requestContext.http.method, event.rawPath)?.route;
    return withAccessLog(event, route, () => pipeline(event, context));
  };
}

type Incoming = { event: APIGatewayProxyEventV2; params: Record<string, string> };
type AnyHandler = (call: object) => Promise<unknown>;

async function answerRoute(route: Route, handler: AnyHandler, { event, params }: Incoming): Promise<Result> {
  const connections = openConnections();
  const { requestId, http } = event.requestContext;
  const request = { id: requestId, ip: http.sourceIp, headers: event.headers };
  const caller = route.access === 'public' ? undefined : await authenticate(connections, event.headers.authorization);
  if (caller) noteCaller(event, caller);
  if (caller && !isAllowed(caller, route.access))
    throw new ApiError('insufficient_scope', `This operation needs ${describeAccess(route.access)}.`);
  const table = caller && openTable(connections.dynamo, caller.organizationId, actorOf(caller));
  const call = { params, ...parse(route, event), table, caller, connections, request };
  const respond = async () => checked(route, await handler(call));
  const key = http.method === 'POST' && caller ? event.headers['idempotency-key'] : undefined;
  const body = key && table ? await withIdempotency({ table, key, route, event }, respond) : await respond();
  return isRaw(route) ? rawAnswer(body as RawAnswer) : jsonAnswer(200, body, requestId);
}

function parse(route: Route, event: APIGatewayProxyEventV2) {
  const query = parseQuery(route, event.queryStringParameters ?? {});
  const { 'content-type': contentType = '', 'content-encoding': coding } = event.headers;
  const raw = parseBody(route, { text: event.body, base64: event.isBase64Encoded, contentType, coding });
  if (!route.body) return { query, body: parseNoBody(route, raw) };
  if (route.lenient) countUnknownFields(route, raw);
  return { query, body: route.lenient ? check(route.body, raw, 'body') : checkWhole(route.body, raw) };
}

/** A parameter that nothing reads is a misunderstanding; public pages and machines of another release may send some. */
function parseQuery({ query, access, lenient }: Route, parameters: object) {
  if (query) return check(strictest(query), parameters, 'query');
  return access === 'public' || lenient ? {} : check(nothing, parameters, 'query');
}

const nothing = z.strictObject({});

/** Whoever sends `{engagementId}` to an operation that stops everything must not be answered that all is well. */
function parseNoBody({ access, lenient }: Route, raw: unknown): undefined {
  if (access !== 'public' && !lenient) check(nothing, raw ?? {}, 'body');
}

/** A newer machine sends fields that this release does not know: worth knowing, not worth refusing. */
function countUnknownFields({ body, path }: Route, raw: unknown): void {
  const known = body && 'shape' in body ? Object.keys(body.shape as object) : [];
  const unknown = Object.keys(raw ?? {}).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    log.info('unknown fields ignored', { path, fields: unknown.slice(0, 20), count: unknown.length });
}

/** With checks on (tests), an answer that does not fit its schema is an error of ours. */
function checked(route: Route, body: unknown): unknown {
  if (isRaw(route) || openConnections().settings.CHECK_RESPONSES === '0' || !('safeParse' in route.response))
    return body;
  const result = strictest(route.response).safeParse(JSON.parse(JSON.stringify(body)));
  if (!result.success)
    throw new Error(`${route.method} ${route.path} answers what it does not declare: ${result.error.message}`);
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
  headers: { 'content-type': contentType, ...headers },
  body,
  isBase64Encoded: base64,
});

/** The one place where errors become answers. What is not an ApiError is told to the log, not to the caller. */
function errorAnswer(error: unknown, { headers, requestContext: { requestId } }: APIGatewayProxyEventV2): Result {
  if (error instanceof ApiError) {
    const { code, message, details, current } = error;
    const answer = jsonAnswer(errorStatus[code], { code, message, details, current, requestId }, requestId);
    if (answer.statusCode !== 401) return answer;
    return { ...answer, headers: { ...answer.headers, 'www-authenticate': challenge(code, headers.authorization) } };
  }
  log.error('request failed', { requestId, error });
  const message = 'Something went wrong on our side. Try again; if it stays, report the request id.';
  return jsonAnswer(500, { code: 'internal_error', message, requestId }, requestId);
}

/** What to authenticate with, as a 401 has to say (RFC 9110, section 15.5.2; RFC 6750, section 3). */
function challenge(code: ErrorCode, authorization = ''): string {
  if (code === 'insufficient_scope') return 'Bearer error="insufficient_scope"';
  // Only to who came with it (RFC 6749, section 5.2): a browser would ask its user for a password.
  if (/^basic\b/i.test(authorization) && code === 'invalid_client') return 'Basic realm="clients"';
  return code === 'unauthorized' && authorization ? 'Bearer error="invalid_token"' : 'Bearer';
}

function noRoute(routes: Routes, event: APIGatewayProxyEventV2): ApiError {
  const methods = methodsOf(routes, event.rawPath);
  const { method } = event.requestContext.http;
  if (methods.length === 0) return new ApiError('not_found', `There is no operation ${method} ${event.rawPath}.`);
  return new ApiError('not_found', `${event.rawPath} answers ${methods.join(', ')}, not ${method}.`);
}
