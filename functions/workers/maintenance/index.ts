import * as z from 'zod';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { mergeSuggestions } from '#shared/assets/identity/merge-suggestion.ts';
import { settleSuggestions } from '#shared/assets/identity/suggestion-places.ts';
import { giveSubscriptions } from '#shared/notifications/defaults.ts';
import { subscriptions } from '#shared/notifications/subscription.ts';
import { type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { type Work, workerHandler } from '#shared/platform/jobs/worker.ts';
import { currentDay, now } from '#shared/platform/runtime/clock.ts';
import { reopenMonths } from '#shared/platform/table/daily.ts';
import { keysOf, ordinalIn } from '#shared/platform/table/layout/keys.ts';
import { listItemOf } from '#shared/platform/table/layout/record.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Difference } from '#shared/platform/table/upkeep/difference.ts';
import { rekey } from '#shared/platform/table/upkeep/rekey.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { recordsAfter } from '#shared/platform/table/upkeep/walk.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { settleAlerts, settleIncident } from '#shared/soc/incidents/settle-places.ts';
import { type AnyEntity, entitiesByName } from './all-entities.ts';
import { copyOrganization } from './copy-organization.ts';
import { deleteOrganization } from './delete-organization.ts';
import { followAssets } from './follow-assets.ts';
import { nameImages } from './name-images.ts';
import { restoreOrganization } from './restore-organization.ts';
import { results } from './results.ts';
import { continueLater, sliceEnd } from './slice.ts';
import { verifyAudit } from './verify-audit.ts';

const Input = z.object({
  work: z.enum(['rekey', 'verify', 'audit', 'delete', 'copy', 'restore']),
  repair: z.boolean().default(false),
});

/** The progress of the work: the number of finished collections, and the last ordinal within the current collection. */
const Checkpoint = z.object({
  collection: z.int().default(0),
  afterOrdinal: z.int().default(-1),
  slice: z.int().default(0),
  seen: z.int().default(0),
  rewritten: z.int().default(0),
  unsettled: z.int().default(0),
  differences: z.array(z.record(z.string(), z.unknown())).default([]),
});
type Checkpoint = z.infer<typeof Checkpoint>;

const KEPT_DIFFERENCES = 100;

export const handler = workerHandler('maintenance', maintain, { results });

async function maintain(work: Work): Promise<Record<string, unknown> | undefined> {
  const input = Input.parse(work.task.input);
  if (input.work === 'audit') return verifyAudit(work);
  if (input.work === 'delete') return deleteOrganization(work);
  if (input.work === 'copy') return copyOrganization(work);
  if (input.work === 'restore') return restoreOrganization(work);
  const names = [...entitiesByName.keys()];
  const isOver = sliceEnd();
  let at = Checkpoint.parse(work.task.checkpoint ?? {});
  while (at.collection < names.length) {
    if (isOver()) return continueLater(work, reached({ ...at, slice: at.slice + 1 }, names.length));
    const entity = entitiesByName.get(names[at.collection] ?? '');
    if (entity)
      at = await (input.work === 'rekey' ? rekeyStep : verifyStep)(work, { entity, at, repair: input.repair });
    await keep(work, at, names.length);
  }
  const { seen, rewritten, unsettled, differences } = at;
  return input.work === 'rekey' ? { seen, rewritten } : { records: seen, unsettled, differences };
}

type Step = { entity: AnyEntity; at: Checkpoint; repair: boolean };

/** Records of one step. */
const TOGETHER = 500;

/** Records that are where their assets are. */
const SETTLED: Record<string, (table: Table, ordinals: number[]) => Promise<unknown>> = {
  [alerts.name]: settleAlerts,
  [mergeSuggestions.name]: settleSuggestions,
};

async function rekeyStep({ table, connections }: Work, { entity, at }: Step): Promise<Checkpoint> {
  const some = { afterOrdinal: at.afterOrdinal, limit: TOGETHER };
  const { next, seen, rewritten } = await rekey(table, entity, some);
  const found = async () => (await recordsAfter(table.dynamo, keysOf(table.tenant, entity), some)).rows;
  if (entity.name === assets.name) {
    const these = (await found()).map((row) => listItemOf<Asset, never>(row));
    await nameImages({ connections, table }, these);
    await followAssets({ connections, table }, these);
  }
  // those of earlier releases are in no part yet; incidents come behind their alerts
  const settled = SETTLED[entity.name];
  if (settled)
    await settled(
      table,
      (await found()).map(({ sk }) => ordinalIn(sk)),
    );
  if (entity.name === incidents.name) for (const { id } of await found()) await settleIncident(table, String(id));
  if (next === undefined && entity.name === subscriptions.name) await giveSubscriptions(table);
  if (next === undefined && entity.daily)
    await reopenMonths({ dynamo: table.dynamo, tenant: table.tenant, entity }, currentDay());
  const counted = { ...at, seen: at.seen + seen, rewritten: at.rewritten + rewritten };
  return next === undefined ? nextCollection(counted) : { ...counted, afterOrdinal: next };
}

async function verifyStep({ table }: Work, { entity, at, repair }: Step): Promise<Checkpoint> {
  const { records, differences, unsettled } = await verify(table, entity, { repair });
  const kept = [...at.differences, ...differences.map(printable)].slice(0, KEPT_DIFFERENCES);
  return nextCollection({ ...at, seen: at.seen + records, unsettled: at.unsettled + unsettled, differences: kept });
}

const nextCollection = (at: Checkpoint): Checkpoint => ({ ...at, collection: at.collection + 1, afterOrdinal: -1 });

/** Numbers as texts: a mask exceeds the exact numbers of JSON. */
const printable = ({ stands, expected, ...where }: Difference) => ({
  ...where,
  stands: stands === null ? null : String(stands),
  expected: expected === null ? null : String(expected),
});

/** Stores the checkpoint. A repeated step changes nothing, so step and checkpoint need no common transaction. */
async function keep({ table, task }: Work, checkpoint: Checkpoint, total: number): Promise<void> {
  await table.rows(taskRows).set({ id: task.id }, { ...reached(checkpoint, total), updatedAt: now() });
}

const reached = (checkpoint: Checkpoint, total: number) => ({
  checkpoint,
  progress: { done: checkpoint.collection, total, unit: 'collections' } satisfies TaskRow['progress'],
});
