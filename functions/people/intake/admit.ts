import type { PublicCall, Route } from '#shared/platform/http/route.ts';
import type { Purpose } from './challenge.ts';
import { assertLasting } from './disposable.ts';
import { countBlock, countEmail } from './limits.ts';
import { useChallenge } from './use-challenge.ts';

type Sender = Pick<PublicCall<Route>, 'connections' | 'request'>;

/**
 * Lets a request without a credential pass, the cheapest check first: a flood from one address touches one row, and only who has
 * solved a challenge uses up the windows of an address, its domain and of everybody.
 * @throws validation_failed, rate_limited, invalid_challenge
 */
export async function admit(
  { connections, request: { id: requestId, ip } }: Sender,
  { purpose, email, solution }: { purpose: Purpose; email: string; solution: string },
): Promise<void> {
  await assertLasting(email);
  await countBlock(connections.dynamo, purpose, ip);
  await useChallenge(connections, { purpose, solution, requestId });
  await countEmail(connections.dynamo, purpose, email);
}
