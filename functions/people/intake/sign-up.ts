import type { PublicCall } from '#shared/platform/http/route.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { admit } from './admit.ts';
import type { intakeRoutes } from './routes.ts';

/**
 * Queues the letter of a sign-up. Its worker looks whether the address is known: the answer, and the time that it takes, are the same for
 * every address.
 * @throws validation_failed, rate_limited, invalid_challenge
 */
export async function signUp(call: PublicCall<(typeof intakeRoutes)['signUp']>) {
  const { connections, cause, body } = call;
  const { challenge, ...input } = body;
  await admit(call, { purpose: 'signup', email: input.email, solution: challenge });
  const table = openTable(connections.dynamo, GLOBAL_SCOPE, { ...systemActor, cause });
  await queueTask({ connections, table }, { operation: 'send_sign_up_letter', job: 'mail', unit: 'letters', input });
  return { accepted: true as const };
}
