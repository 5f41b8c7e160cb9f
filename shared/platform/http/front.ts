import type { MiddlewareObj } from '@middy/core';
import { isSame } from '../crypto/same.ts';
import { openConnections } from '../runtime/connections.ts';
import { ApiError } from '../runtime/errors.ts';
import type { Arrived, Result } from './incoming.ts';

/**
 * The headers that CloudFront adds to each request; they replace the caller's headers of the same names
 * (infra/front.ts).
 */
export const frontHeaders = { secret: 'x-origin-secret', caller: 'x-viewer-address' } as const;

/**
 * The step for a stack with CloudFront before the API: refuses what did not come through CloudFront, and puts the address of
 * the caller in the place of CloudFront's own, for all steps that follow.
 */
export const front: MiddlewareObj<Arrived, Result> = {
  async before({ event }) {
    const { secrets, settings } = openConnections();
    if (settings.ORIGIN_SECRET === undefined) return;
    const { [frontHeaders.secret]: given = '', ...headers } = event.headers;
    if (!isSame(given, await secrets.get(settings.ORIGIN_SECRET)))
      throw new ApiError('unauthorized', `Send requests to ${settings.BASE_URL}: this address does not answer them.`);
    const { http } = event.requestContext;
    event.headers = headers;
    event.requestContext = { ...event.requestContext, http: { ...http, sourceIp: callerAddress(event) } };
  },
};

/** Only of a request that is proven to come from CloudFront: anyone may send the header elsewhere. */
const callerAddress = ({ headers, requestContext: { http } }: Arrived): string =>
  headers[frontHeaders.caller] ?? http.sourceIp;
