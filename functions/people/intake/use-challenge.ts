import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { altcha } from './altcha.ts';
import type { Challenge, Challenger, Offered, Purpose } from './challenge.ts';
import { turnstile } from './turnstile.ts';

const challengerOf = ({ settings }: Connections): Challenger =>
  settings.TURNSTILE_SITE_KEY === undefined ? altcha : turnstile;

export const offerChallenge = (connections: Connections, offered: Offered): Promise<Challenge> =>
  challengerOf(connections).offer(connections, offered);

/** `by`: the request that used the challenge, so that a repeated write knows its own first attempt. */
type Used = { id: string; by: string; expiresAt: string };

export const usedChallenges = defineRow<Used, Pick<Used, 'id'>>({
  name: 'used-challenge',
  about: 'a solved bot challenge that was used, until it expires; global key scope',
  key: ({ id }) => [id],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** Lets a request pass that brings the solution of an unused challenge of its purpose. @throws invalid_challenge */
export async function useChallenge(
  connections: Connections,
  { purpose, solution, requestId }: { purpose: Purpose; solution: string; requestId: string },
): Promise<void> {
  const solved = await challengerOf(connections).judge(connections, { purpose, solution });
  if (!solved || !(await burn(connections.dynamo, { ...solved, by: requestId }))) throw unsolved(purpose);
}

const burn = (dynamo: Dynamo, used: Used): Promise<boolean> =>
  openTable(dynamo, GLOBAL_SCOPE).rows(usedChallenges).put(used, 'absent');

const unsolved = (purpose: Purpose): ApiError =>
  new ApiError(
    'invalid_challenge',
    `challenge: must be the solution of an unused challenge of GET /api/v1/challenges?purpose=${purpose}, which expires.`,
  );
