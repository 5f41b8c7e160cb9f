import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../runtime/errors.ts';
import { isConflict } from '../runtime/retry.ts';
import type { Batch } from '../table/batch.ts';
import type { Stored } from '../table/entity.ts';
import type { Table } from '../table/table.ts';
import type { Change, View } from './view.ts';

/** Another reader of the changes has written or deleted the target meanwhile. */
export const isOvertaken = (error: unknown): boolean =>
  isConflict(error) || (error instanceof ApiError && error.code === 'not_found');

type Writing = { table: Table; view: View; batch: Batch };

/** Adds the rows of a target to the batch, where the change makes a difference. @returns the target after it */
export function writeTarget(
  { table, view, batch }: Writing,
  current: Stored | undefined,
  { newId = '', ...change }: Change<unknown> & { newId?: string | undefined },
): Stored | undefined {
  const { target, apply, beside = () => [] } = view;
  const fields = apply(current, change);
  if (!current) {
    const after = fields && batch.create(target, table.stamp({ ...fields, id: newId }));
    batch.write(...beside(table, { after }));
    return after;
  }
  if (!fields) {
    batch.delete(target, current);
    batch.write(...beside(table, { before: current }));
    return undefined;
  }
  const isSame = Object.entries(fields).every(([name, value]) =>
    isDeepStrictEqual(Reflect.get(current, name) ?? undefined, value ?? undefined),
  );
  return isSame ? current : batch.update(target, current, table.changed(current, fields));
}
