import { setTimeout as wait } from 'node:timers/promises';
import { isApart, type Position, positions, type ReaderKind } from '#shared/events/position.ts';
import { wakeReader } from '#shared/events/wake.ts';
import { isSuspended } from '#shared/platform/auth/suspension.ts';
import { type Sheet, sheetsAfter } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { elapsedMs, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { openReader, type Visit } from './open-reader.ts';
import { sendAgain } from './send-again.ts';
import { sendSheet } from './send-events.ts';
import { workSubscription } from './work-subscription.ts';

/** A visit leaves its lane to others after so long; a message of its own goes on. */
const VISIT_MS = 10_000;
/** A visit waits so long itself for a call that is due soon: the sweeper comes once a minute. */
const SOON_MS = 10_000;

type Woken = {
  kind: ReaderKind;
  readerId: string;
  deliveryId?: string | undefined;
  apart?: boolean | undefined;
};

/**
 * Has a reader of the log work the changes that it has not seen, in their order. A delivery that somebody sends again comes first. A reader is
 * worked in one lane at a time: a message in the other passes it on.
 */
export async function visitReader(context: Context, { deliveryId, ...woken }: Woken): Promise<void> {
  const { table } = context;
  const { apart = false } = woken;
  const end = elapsedMs() + VISIT_MS;
  const find = () => table.rows(positions).find({ readerId: woken.readerId }, true);
  const isElsewhere = (position: Position) => isApart(position) !== apart;
  await numberChanges(table);
  const first = await find();
  if (first && isElsewhere(first)) return wakeReader(context, { ...woken, deliveryId, apart: !apart });
  if (deliveryId !== undefined) await sendAgain({ ...context, end, apart }, { ...woken, deliveryId });
  while (elapsedMs() < end) {
    const position = await find();
    if (!position || (await isSuspended(context.connections.dynamo, table.organizationId))) return;
    if (isElsewhere(position)) return wakeReader(context, { ...woken, apart: !apart });
    if (!(await isDue(position))) return;
    const [sheet] = await sheetsAfter(table, position.seen, 1);
    if (!(await work({ ...context, position, end, apart }, woken.kind, sheet))) return;
  }
  await wakeReader(context, woken);
}

/** @returns whether the visit goes on */
async function work(visit: Visit, kind: ReaderKind, sheet: Sheet | undefined): Promise<boolean> {
  if (kind === 'webhook' && !sheet) return false;
  const opened = await openReader(visit, kind);
  if (!opened) return false;
  if ('subscribed' in opened) return workSubscription(opened.subscribed, sheet);
  return sheet ? sendSheet(opened.sending, sheet) : false;
}

/** Waits for a call that is due within seconds. @returns false for one that is due later: its timer comes */
async function isDue({ retryAt }: Position): Promise<boolean> {
  const left = retryAt === undefined ? 0 : Date.parse(retryAt) - nowMs();
  if (left > SOON_MS) return false;
  if (left > 0) await wait(left);
  return true;
}
