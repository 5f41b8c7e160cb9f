import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Caller } from '../auth/permissions.ts';
import type { Cause } from '../table/actor.ts';
import type { Table } from '../table/table.ts';
import type { Match } from './router.ts';

export type Result = APIGatewayProxyStructuredResultV2;

/** A claim of an Idempotency-Key, and the answer of its request once that has ended. */
export type StoredAnswer = {
  caller: string;
  key: string;
  request: string;
  answer?: string;
  busyUntil?: string;
  expiresAt: string;
};

/** A request in the pipeline: a copy of the gateway's event, to which each step adds its result. A request without a route has no `match`. */
export type Arrived = APIGatewayProxyEventV2 & {
  match?: Match;
  startedMs?: number;
  /** The sender of the request; undefined on a public route. */
  caller?: Caller;
  /** Bound to the organization of the caller. */
  table?: Table;
  /** The checked query parameters; for a file body also the body's other fields. */
  query?: unknown;
};

/** A request that has a route. */
export type Incoming = Arrived & {
  match: Match;
  /** The body as the caller sent it, an empty text without a body. */
  sent: string;
  /** The parsed body, then the checked body. Of a signed route: a function that parses and checks the body, for its handler. */
  value?: unknown;
  /** Parses the body of a signed route, once the signature is proven. */
  readBody?: () => unknown;
  /** The claim of its Idempotency-Key. */
  claim?: StoredAnswer;
  /** The answer to an earlier request with the same Idempotency-Key. */
  repeated?: Result;
};

/** The cause that the audit log names for a change of this request. */
export const causeOf = ({ match, requestContext: { requestId, http } }: Incoming): Cause => ({
  operation: match.name,
  requestId,
  ip: http.sourceIp,
});

/** Seconds for which a request may be held until its task has ended; 0 for an immediate answer. */
export function secondsHeld({ query }: Pick<Incoming, 'query'>): number {
  const seconds: unknown = Reflect.get(Object(query), 'waitSeconds');
  return typeof seconds === 'number' ? seconds : 0;
}
