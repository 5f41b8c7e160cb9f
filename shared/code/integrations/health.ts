import { now } from '#shared/platform/runtime/clock.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Integration, integrations } from './integration.ts';

const MINUTE_MS = 60_000;
const DELIVERY_FAILED = 'delivery_failed';

export type Problem = { code: string; message: string };
type Named = Pick<Integration, 'id'>;

/** Keeps when a delivery came last, at most once a minute, and whether it could be worked. */
export async function noteDelivery(table: Table, { id }: Named, failed?: string): Promise<void> {
  await change(table, id, (current) => afterDelivery(current, failed));
}

type Delivered = Health & Pick<Integration, 'lastDeliveryAt'>;

/** @returns undefined: it stays as it is */
export function afterDelivery(current: Delivered, failed?: string): Partial<Delivered> | undefined {
  const at = now();
  const { lastDeliveryAt } = current;
  const health = healthAfter(current, 'delivery', failed ? { code: DELIVERY_FAILED, message: failed } : undefined);
  return health || !isWithinMinute(lastDeliveryAt, at) ? { ...health, lastDeliveryAt: at } : undefined;
}

/** Times that move with all that happens are written once a minute. */
export const isWithinMinute = (time: string | null, at: string): boolean =>
  time !== null && Date.parse(at) - Date.parse(time) < MINUTE_MS;

/** Keeps whether the code host answered, and of a sync that it ended. */
export const noteHost = (table: Table, { id }: Named, problem: Problem | undefined, synced = {}): Promise<void> =>
  change(table, id, (current) => {
    const changes = { ...healthAfter(current, 'host', problem), ...synced };
    return Object.keys(changes).length > 0 ? changes : undefined;
  });

type Health = Pick<Integration, 'status' | 'error'>;

/** A delivery that works mends no access that the host refuses, and the reverse. @returns undefined: it stays as it is */
export function healthAfter({ status, error }: Health, of: 'delivery' | 'host', problem?: Problem): Health | undefined {
  if (problem) {
    const next = of === 'host' ? ('failed' as const) : ('degraded' as const);
    if (status === 'failed' && next === 'degraded') return undefined;
    return { status: next, error: { ...problem, at: now() } };
  }
  const isDelivery = error?.code === DELIVERY_FAILED;
  return error && isDelivery === (of === 'delivery') ? { status: 'connected', error: null } : undefined;
}

const change = (
  table: Table,
  id: string,
  changed: (current: Integration) => Partial<Integration> | undefined,
): Promise<void> =>
  retry(async () => {
    const current = await table.find(integrations, id, true);
    const changes = current && current.status !== 'disabled' ? changed(current) : undefined;
    if (current && changes) await table.update(integrations, current, changes);
  }, isConflict);
