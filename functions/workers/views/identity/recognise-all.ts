import { assets } from '#shared/assets/asset/asset.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { recordsAfter } from '#shared/platform/table/upkeep/walk.ts';
import { recognise } from './recognise.ts';

/** The place where the service looks for the same machine, as its own author. */
export const recogniserOf = ({ connections, table }: Context): Context => {
  const author = { ...systemActor, cause: { operation: 'recognise_assets' } };
  return { connections, table: openTable(connections.dynamo, table.organizationId, author) };
};

/** Assets of a step, which ends with a checkpoint. */
const STEP = 50;

type Compared = { afterOrdinal: number; compared: number };

/**
 * Searches some more of all assets for the same machine: assets of earlier releases, which no change shows to the
 * follower.
 * @returns the next place; undefined at the end
 */
export async function recogniseStep(
  context: Context,
  { afterOrdinal, compared }: Compared,
): Promise<Omit<Compared, 'afterOrdinal'> & { next: number | undefined }> {
  const { table } = context;
  const keys = keysOf(table.tenant, assets);
  const { rows, next } = await recordsAfter(table.dynamo, keys, { afterOrdinal, limit: STEP });
  await recognise(
    recogniserOf(context),
    rows.map(({ id }) => String(id)),
  );
  return { next, compared: compared + rows.length };
}
