import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Caller } from '../auth/permissions.ts';
import type { Match } from './router.ts';

export type Result = APIGatewayProxyStructuredResultV2;

/** A request in the pipeline: a copy of the gateway's event, to which each step adds its result. */
export type Incoming = APIGatewayProxyEventV2 & {
  match: Match;
  /** The body as the caller sent it; the pipeline parses `body`. */
  sent: string;
  caller?: Caller;
  /** The checked query parameters; of a request whose body is a file, also the body's fields. */
  query?: unknown;
  /** The parsed body, not yet checked against its schema. */
  value?: unknown;
};

/** Seconds for which a request may be held until its task has ended; 0 for one that is answered at once. */
export function secondsHeld({ query }: Pick<Incoming, 'query'>): number {
  const seconds: unknown = Reflect.get(Object(query), 'waitSeconds');
  return typeof seconds === 'number' ? seconds : 0;
}
