import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Caller } from '../auth/permissions.ts';
import { log } from '../runtime/log.ts';
import type { Route } from './route.ts';

type Result = APIGatewayProxyStructuredResultV2;

const callers = new WeakMap<APIGatewayProxyEventV2, Caller>();

export const noteCaller = (event: APIGatewayProxyEventV2, caller: Caller): void => void callers.set(event, caller);

/**
 * One line per request. The gateway's own access log could not leave out the polls that find no work, which are most
 * of all requests. Query and body may hold what is confidential, and stay out.
 */
export async function withAccessLog(
  event: APIGatewayProxyEventV2,
  route: Route | undefined,
  answer: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  const result = await answer();
  if (route?.poll && isWithoutWork(result)) return result;
  const { http, requestId } = event.requestContext;
  const caller = callers.get(event);
  log.info('request', {
    requestId,
    method: http.method,
    path: event.rawPath,
    route: route?.path,
    statusCode: result.statusCode,
    milliseconds: Math.round(performance.now() - started),
    ip: http.sourceIp,
    organizationId: caller?.organizationId,
    caller: caller && { kind: caller.kind, id: caller.id },
  });
  return result;
}

/** An answer in which every list is empty gives a machine nothing to do. */
function isWithoutWork({ statusCode, body }: Result): boolean {
  if (statusCode !== 200) return false;
  const values: unknown[] = Object.values(JSON.parse(body ?? '{}'));
  return values.every((value) => !Array.isArray(value) || value.length === 0);
}
