import { assets } from '#shared/assets/asset/asset.ts';
import { MAX_LINKS } from '#shared/assets/asset/asset-link.ts';
import { assetBits } from '#shared/assets/conditions/narrow.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { existsCheck } from '#shared/platform/table/exists-check.ts';
import { newestOf } from '#shared/platform/table/layout/bits.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { applications } from '../applications/application.ts';
import { type ApplicationAssetExclusion, applicationExclusions } from '../asset-rules/application-exclusion.ts';
import { newRulesTask } from '../asset-rules/apply.ts';
import { withCondition } from '../asset-rules/condition.ts';
import { exclusionTimer } from '../asset-rules/exclusion-timer.ts';
import { rulesChanged } from '../asset-rules/mark.ts';
import type { ListAsset } from '../asset-rules/ruleset.ts';
import { type Edit, settleAssets } from '../asset-rules/settle-assets.ts';
import { orAbsent } from './links.ts';

export type NewExclusion = Pick<
  ApplicationAssetExclusion,
  'assetId' | 'condition' | 'filterId' | 'reason' | 'expiresAt'
>;

/** A new exclusion, with the condition of the saved filter that it names. @throws validation_failed */
export async function checkedExclusion(table: Table, body: NewExclusion): Promise<NewExclusion> {
  const { assetId, condition, filterId, expiresAt } = body;
  if ((assetId === null) === (condition === null && filterId == null))
    throw invalid('assetId', 'send either assetId, or condition or filterId');
  if (expiresAt !== null && expiresAt <= now()) throw invalid('expiresAt', 'must be a time in the future');
  if (assetId === null) return withCondition(table, body);
  if (!(await table.find(assets, assetId, true))) throw invalid('assetId', 'must be the id of an asset');
  return body;
}

/** Excludes the asset that an exclusion names, in one transaction with its record. */
export function excludeEdit(table: Table, asset: ListAsset, exclusion: ApplicationAssetExclusion): Edit {
  const { id: exclusionId, applicationId } = exclusion;
  const { exclusions = [] } = asset;
  if (exclusions.length >= MAX_LINKS)
    throw conflict(`The asset ${asset.id} is excluded from ${MAX_LINKS} applications, which is the limit.`);
  return {
    changes: { exclusions: [...exclusions, { applicationId, exclusionId }] },
    also(batch) {
      batch.create(applicationExclusions, exclusion);
      batch.write(existsCheck(table, applications, applicationId), ...exclusionTimer(table, undefined, exclusion));
    },
  };
}

/** Stores an exclusion by a condition, in one transaction with the task that brings the links of rules to it. */
export async function saveExclusion(
  { connections, table }: Context,
  after: ApplicationAssetExclusion,
  before?: ApplicationAssetExclusion,
) {
  const { id, applicationId, condition } = after;
  const concerned = { ruleIds: before ? [id] : [], conditions: condition ? [condition] : [] };
  const queued = newRulesTask(table, concerned, { type: 'application_exclusion', id });
  const saved = { ...after, taskId: queued.task.id };
  await queueNewTask({ connections, table }, queued, (batch) => {
    if (before) batch.update(applicationExclusions, before, saved);
    else batch.create(applicationExclusions, saved);
    batch.write(existsCheck(table, applications, applicationId), rulesChanged(table));
    batch.write(...exclusionTimer(table, before, saved));
  });
  return saved;
}

/**
 * Removes an exclusion: the rules link its assets again. The last asset with the exclusion removes the record; without
 * any, this function does.
 */
export async function removeExclusion(context: Context, exclusion: ApplicationAssetExclusion): Promise<void> {
  const { table, connections } = context;
  const { id, condition } = exclusion;
  const remove: Edit['also'] = (batch) => {
    batch.delete(applicationExclusions, exclusion);
    batch.write(...exclusionTimer(table, exclusion, undefined));
  };
  if (condition) {
    const queued = newRulesTask(table, { ruleIds: [id], conditions: [] }, { type: 'application_exclusion', id });
    await queueNewTask({ connections, table }, queued, (batch) => {
      remove(batch);
      batch.write(rulesChanged(table));
    });
    return;
  }
  const named = newestOf(await assetBits(table, { name: 'rule', values: [id] }));
  const last = named.at(-1);
  for (const ordinal of named)
    await settleAssets(context, [ordinal], (asset) => {
      const left = (asset.exclusions ?? []).filter(({ exclusionId }) => exclusionId !== id);
      const changes = { exclusions: orAbsent(left) };
      return left.length === asset.exclusions?.length
        ? undefined
        : { changes, ...(ordinal === last && { also: remove }) };
    });
  // no asset has it: its asset is gone
  if (!(await table.find(applicationExclusions, id, true))) return;
  await table.commit(remove);
}
