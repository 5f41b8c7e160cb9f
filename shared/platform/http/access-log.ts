import type { MiddlewareObj, Request } from '@middy/core';
import { elapsedMs } from '../runtime/clock.ts';
import { openConnections } from '../runtime/connections.ts';
import { log } from '../runtime/log.ts';
import { embeddedMetric, SLOW_REQUESTS } from '../runtime/metrics.ts';
import { shortened } from '../runtime/texts.ts';
import { type Arrived, type Result, secondsHeld } from './incoming.ts';

const MAX_PATH = 300;
/** A request that takes longer is counted as slow, unless its caller asked to wait for a task. */
const SLOW_MS = 5000;

/**
 * The step that writes one line per request. The gateway's own access log could not leave out the polls that find no work,
 * which are most of all requests. Query and body may be confidential and stay out.
 */
export const accessLog: MiddlewareObj<Arrived, Result> = {
  before({ event }) {
    event.startedMs = elapsedMs();
  },
  after: writeLine,
  onError: writeLine,
};

function writeLine({ event, response }: Request<Arrived, Result>): void {
  const { match, caller, startedMs = 0, requestContext } = event;
  if (match?.route.poll && isWithoutWork(response)) return;
  const { http, requestId } = requestContext;
  const milliseconds = Math.round(elapsedMs() - startedMs);
  log.info('request', {
    requestId,
    method: http.method,
    path: shortened(event.rawPath, MAX_PATH),
    route: match?.route.path,
    statusCode: response?.statusCode,
    milliseconds,
    ip: http.sourceIp,
    organizationId: caller?.organizationId,
    caller: caller && { kind: caller.kind, id: caller.id },
    ...(milliseconds > SLOW_MS && secondsHeld(event) === 0 && slowRequest()),
  });
}

const slowRequest = () => embeddedMetric(SLOW_REQUESTS, 1, { table: openConnections().dynamo.tableName });

/** Whether every list of the answer is empty, so that the machine has nothing to do. */
function isWithoutWork(response: Result | null | undefined): boolean {
  if (response?.statusCode !== 200) return false;
  const values: unknown[] = Object.values(JSON.parse(response.body ?? '{}'));
  return values.every((value) => !Array.isArray(value) || value.length === 0);
}
