import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { elapsedMs } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { shortened } from '../runtime/texts.ts';
import type { Incoming, Result } from './incoming.ts';

/** `match` is missing when no route answers the request, `caller` when nobody was authenticated. */
type Logged = APIGatewayProxyEventV2 & Partial<Pick<Incoming, 'match' | 'caller'>>;

const MAX_PATH = 300;

/**
 * Writes one line per request. The gateway's own access log could not leave out the polls that find no work, which are
 * most of all requests. Query and body may be confidential and stay out.
 */
export async function withAccessLog(event: Logged, answer: () => Promise<Result>): Promise<Result> {
  const started = elapsedMs();
  const route = event.match?.route;
  const result = await answer();
  if (route?.poll && isWithoutWork(result)) return result;
  const { http, requestId } = event.requestContext;
  const { caller } = event;
  log.info('request', {
    requestId,
    method: http.method,
    path: shortened(event.rawPath, MAX_PATH),
    route: route?.path,
    statusCode: result.statusCode,
    milliseconds: Math.round(elapsedMs() - started),
    ip: http.sourceIp,
    organizationId: caller?.organizationId,
    caller: caller && { kind: caller.kind, id: caller.id },
  });
  return result;
}

/** Whether every list of the answer is empty, so that the machine has nothing to do. */
function isWithoutWork({ statusCode, body }: Result): boolean {
  if (statusCode !== 200) return false;
  const values: unknown[] = Object.values(JSON.parse(body ?? '{}'));
  return values.every((value) => !Array.isArray(value) || value.length === 0);
}
