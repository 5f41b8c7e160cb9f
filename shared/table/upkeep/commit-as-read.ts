import type { Dynamo } from '../../runtime/dynamo.ts';
import { commit, type Write } from '../io/commit.ts';
import type { Adds } from '../layout/contribution.ts';

/** Another writer changed a row after upkeep had read the row. */
class Overtaken extends Error {}

/** The `fail` of a write of upkeep: its condition says that the row is still as it was read. */
export const overtaken = (): Error => new Overtaken();

/** Commits writes that carry `overtaken`. @returns false when another writer was faster, and nothing is written */
export async function commitAsRead(dynamo: Dynamo, writes: Write[], adds: Adds = new Map()): Promise<boolean> {
  try {
    await commit(dynamo, writes, adds);
    return true;
  } catch (error) {
    if (error instanceof Overtaken) return false;
    throw error;
  }
}
