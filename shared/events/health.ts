import * as z from 'zod';
import { readOnly, Timestamp } from '#shared/platform/http/records.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Whether what an organization has sent arrives: of an endpoint, and of a subscription. */
export const healthFields = {
  status: readOnly(
    z.enum(['active', 'failing', 'disabled']).meta({
      description:
        '`failing`: the last call failed, and is repeated; `disabled`: by somebody, or by the service after five days of failures or an answer 410',
    }),
  ),
  error: readOnly(
    z
      .object({ code: z.string(), message: z.string(), at: Timestamp })
      .nullable()
      .meta({ description: 'why the last call failed' }),
  ),
};
export type Health = z.infer<z.ZodObject<typeof healthFields>> & { enabled: boolean };

/** The code of the error of a reader whose filter cannot be evaluated: it gets nothing until somebody changes the filter. */
export const FILTER_INVALID = 'filter_invalid';

/** The status of what was turned on or off. */
export const statusOf = (enabled: boolean): Health['status'] => (enabled ? 'active' : 'disabled');

/** Notes the health of a record that is turned on. @param also writes of the same transaction @returns whether it is turned on */
export const noteHealth = <T extends Stored & Pick<Health, 'enabled'>>(
  table: Table,
  entity: Entity<T>,
  { id, changes, also = [] }: { id: string; changes: Partial<Health>; also?: readonly Write[] },
): Promise<boolean> =>
  retry(async () => {
    const record = await table.find(entity, id, true);
    if (!record?.enabled) return false;
    await table.update(entity, record, changes as unknown as Partial<T>, (batch) => batch.write(...also));
    return true;
  }, isConflict);
