import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { elapsedMs } from '../runtime/clock.ts';
import { openConnections } from '../runtime/connections.ts';
import { log } from '../runtime/log.ts';
import { embeddedMetric, SLOW_REQUESTS } from '../runtime/metrics.ts';
import { shortened } from '../runtime/texts.ts';
import { type Incoming, type Result, secondsHeld } from './incoming.ts';

/** `match` is missing when no route answers the request, `caller` when nobody was authenticated. */
type Logged = APIGatewayProxyEventV2 & Partial<Pick<Incoming, 'match' | 'caller' | 'query'>>;

const MAX_PATH = 300;
/** A request that takes longer is counted as slow, unless its caller asked to wait for a task. */
const SLOW_MS = 5000;

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
  const milliseconds = Math.round(elapsedMs() - started);
  log.info('request', {
    requestId,
    method: http.method,
    path: shortened(event.rawPath, MAX_PATH),
    route: route?.path,
    statusCode: result.statusCode,
    milliseconds,
    ip: http.sourceIp,
    organizationId: caller?.organizationId,
    caller: caller && { kind: caller.kind, id: caller.id },
    ...(milliseconds > SLOW_MS && secondsHeld(event) === 0 && slowRequest()),
  });
  return result;
}

const slowRequest = () => embeddedMetric(SLOW_REQUESTS, 1, { table: openConnections().dynamo.tableName });

/** Whether every list of the answer is empty, so that the machine has nothing to do. */
function isWithoutWork({ statusCode, body }: Result): boolean {
  if (statusCode !== 200) return false;
  const values: unknown[] = Object.values(JSON.parse(body ?? '{}'));
  return values.every((value) => !Array.isArray(value) || value.length === 0);
}
