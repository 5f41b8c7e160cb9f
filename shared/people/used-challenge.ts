import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';

/** `by`: the request that used the challenge, so that a repeated write knows its own first attempt. */
type Used = { id: string; by: string; expiresAt: string };

export const usedChallenges = defineRow<Used, Pick<Used, 'id'>>({
  name: 'used-challenge',
  about:
    'a challenge for a browser or a passkey, or an identity token of a CI job, that was used, until it expires; global key scope',
  key: ({ id }) => [id],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** Uses a challenge up: of several requests at once one gets true. */
export const useOnce = (dynamo: Dynamo, used: Used): Promise<boolean> =>
  openTable(dynamo, GLOBAL_SCOPE).rows(usedChallenges).put(used, 'absent');
