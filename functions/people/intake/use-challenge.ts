import { useOnce } from '#shared/people/used-challenge.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { altcha } from './altcha.ts';
import type { Challenge, Challenger, Offered, Purpose } from './challenge.ts';
import { turnstile } from './turnstile.ts';

const challengerOf = ({ settings }: Connections): Challenger =>
  settings.TURNSTILE_SITE_KEY === undefined ? altcha : turnstile;

export const offerChallenge = (connections: Connections, offered: Offered): Promise<Challenge> =>
  challengerOf(connections).offer(connections, offered);

/** Lets a request pass that brings the solution of an unused challenge of its purpose. @throws invalid_challenge */
export async function useChallenge(
  connections: Connections,
  { purpose, solution, requestId }: { purpose: Purpose; solution: string; requestId: string },
): Promise<void> {
  const solved = await challengerOf(connections).judge(connections, { purpose, solution });
  if (!solved || !(await useOnce(connections.dynamo, { ...solved, by: requestId }))) throw unsolved(purpose);
}

const unsolved = (purpose: Purpose): ApiError =>
  new ApiError(
    'invalid_challenge',
    `challenge: must be the solution of an unused challenge of GET /api/v1/challenges?purpose=${purpose}, which expires.`,
  );
