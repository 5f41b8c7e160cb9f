import type { Dynamo } from '../../runtime/dynamo.ts';
import { writeRows } from './commit.ts';
import { type RowKind, stored } from './row.ts';

/**
 * Puts many rows of a kind, unconditionally and in any order. A separate file from `rowTable`, so that only its users
 * load it.
 */
export const putRows = <T extends object, K extends object>(
  { dynamo, tenant }: { dynamo: Dynamo; tenant: string },
  kind: RowKind<T, K>,
  rows: readonly (T & K)[],
): Promise<void> => writeRows(dynamo, { put: rows.map((row) => stored(tenant, kind, row)) });
