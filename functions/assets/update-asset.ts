import { AssetView, assetView } from '#shared/assets/view.ts';
import type { Caller } from '#shared/auth/permissions.ts';
import { type Asset, assets } from '#shared/entities/asset.ts';
import { newManyTask } from '#shared/findings/many/queue.ts';
import { personOf } from '#shared/findings/people.ts';
import { readRules } from '#shared/findings/rules/stored.ts';
import { readPolicies } from '#shared/findings/sla-policies.ts';
import { mergePatch } from '#shared/http/records.ts';
import { queueNewTask } from '#shared/jobs/outbox.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { retry } from '#shared/runtime/retry.ts';
import { systemActor } from '#shared/table/actor.ts';
import type { Table } from '#shared/table/table.ts';

type Within = { connections: Connections; table: Table; caller: Caller };
type Change = { id: string; patch: object; ifMatch: string | undefined };

/** Changes an asset, and queues the task that brings its findings to what policies and rules say of it now. */
export const updateAsset = (within: Within, { id, patch, ifMatch }: Change): Promise<Asset> =>
  retry(async () => {
    const { connections, table, caller } = within;
    const standing = await table.get(assets, id, true);
    const changes: Partial<Asset> | undefined = mergePatch(AssetView, await assetView(table, standing), {
      patch,
      ifMatch,
    });
    if (!changes) return standing;
    if (changes.ownerId) await personOf(table, caller, { path: 'ownerId', id: changes.ownerId });
    const next = table.changed<Asset, never>(standing, changes);
    const batch = table.batch();
    if (!(await concernsFindings(table, changes))) {
      batch.update(assets, standing, next);
      await batch.commit();
      return next;
    }
    const resource = { type: 'asset', id };
    const request = { operation: 'apply_asset_change', input: { assetId: id }, resource } as const;
    const queued = newManyTask({ ...table, actor: systemActor }, request);
    await queueNewTask(connections, table, queued, (own) => own.update(assets, standing, next));
    return next;
  });

/** Whether the priority, a policy or a rule asks for what changes. */
async function concernsFindings(
  table: Table,
  { tags, criticality, internetExposed }: Partial<Asset>,
): Promise<boolean> {
  if (criticality || internetExposed !== undefined) return true;
  if (!tags) return false;
  const [{ exceptions }, rules] = await Promise.all([readPolicies(table), readRules(table)]);
  return exceptions.length > 0 || rules.some(({ conditions }) => conditions.assetTag !== undefined);
}
