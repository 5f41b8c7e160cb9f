import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { moveTimer } from '#shared/platform/timers/timers.ts';
import type { ApplicationAssetExclusion } from './application-exclusion.ts';

type Current = Pick<ApplicationAssetExclusion, 'id' | 'expiresAt'> | undefined;

/** Moves the timer that removes an exclusion; part of the transaction that makes or removes it. */
export const exclusionTimer = (
  { organizationId }: Pick<Table, 'organizationId'>,
  before: Current,
  after: Current,
): Write[] =>
  moveTimer({ kind: 'exclusion', organizationId, id: (after ?? before)?.id ?? '' }, endOf(before), endOf(after));

const endOf = (exclusion: Current): number | undefined =>
  exclusion?.expiresAt ? Date.parse(exclusion.expiresAt) : undefined;
