import { openConnections } from '../runtime/connections.ts';
import { doneAnswer, rawAnswer } from './answers.ts';
import { bytesOf } from './body.ts';
import { whileHeld } from './fair-use.ts';
import { causeOf, type Incoming, type Result, secondsHeld } from './incoming.ts';
import type { RawAnswer, Route } from './route.ts';
import { strictest } from './validate.ts';

/** A handler of any route: the pipeline has checked what its own type promises of the call. */
export type AnyHandler = (call: object) => Promise<unknown>;

const NO_BYTES = new Uint8Array();

/** The end of the pipeline: calls the handler of the route and answers. */
export async function respond(handler: AnyHandler, event: Incoming): Promise<Result> {
  if (event.repeated) return event.repeated;
  const { caller, table, query, value, headers, requestContext } = event;
  const { route, params } = event.match;
  const { requestId, http } = requestContext;
  const setCookies: string[] = [];
  const call = {
    params,
    query,
    body: value,
    table,
    caller,
    cause: causeOf(event),
    connections: openConnections(),
    request: {
      id: requestId,
      method: route.method,
      path: event.rawPath,
      ip: http.sourceIp,
      headers,
      cookies: event.cookies ?? [],
      bytes: route.signed ? bytesOf(event) : NO_BYTES,
    },
    setCookies,
    ifMatch: headers['if-match'],
  };
  const result = await unlessTooMany(event, () => handler(call));
  if (isRaw(route)) return rawAnswer(result as RawAnswer);
  assertFits(route, result);
  return { ...doneAnswer(route, result, requestId), ...(setCookies.length > 0 && { cookies: setCookies }) };
}

/** Runs a request that waits for the end of a task within the limit of its organization. */
function unlessTooMany<T>({ caller, query }: Incoming, answer: () => Promise<T>): Promise<T> {
  const seconds = secondsHeld({ query });
  if (!caller || seconds === 0) return answer();
  return whileHeld(openConnections().dynamo, { organizationId: caller.organizationId, seconds }, answer);
}

/** In tests, an answer that does not fit its schema is an internal error. */
function assertFits(route: Route, body: unknown): void {
  if (openConnections().settings.CHECK_RESPONSES === '0' || !('safeParse' in route.response)) return;
  const result = strictest(route.response).safeParse(JSON.parse(JSON.stringify(body)));
  if (!result.success)
    throw new Error(`the answer of ${route.method} ${route.path} does not fit its schema: ${result.error.message}`);
}

const isRaw = (route: Route): boolean => 'contentType' in route.response;
