import * as z from 'zod';
import { assets } from '#shared/assets/asset/asset.ts';
import { mergeSuggestions } from '#shared/assets/identity/merge-suggestion.ts';
import { settleSuggestions } from '#shared/assets/identity/suggestion-places.ts';
import type { Announced } from '#shared/platform/feed/log.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { isMade, type RecordChange } from '#shared/platform/table/changes.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { viewsGroup } from '#shared/platform/views/wake.ts';
import { alerts, type StoredAlert } from '#shared/soc/alerts/alert.ts';
import { responseActions } from '#shared/soc/incidents/response-action.ts';
import { settleActions, settleAlerts, settleIncident } from '#shared/soc/incidents/settle-places.ts';
import { inSlices } from './in-slices.ts';

const Input = z.object({ assetIds: z.array(z.uuid()) });

/** Brings the alerts of assets to where these are. */
export async function placeAlerts(work: Work): Promise<Record<string, unknown> | undefined> {
  const { assetIds } = Input.parse(work.task.input);
  return inSlices(work, {
    unit: 'alerts',
    select: () => recordsOn(work.table, alerts, assetIds),
    step: (ordinals) => settleAlerts(work.table, ordinals),
  });
}

/**
 * Alerts, suggestions and response actions follow their assets, and incidents their alerts, which may be many. New ones are
 * looked at again: an asset may have moved between its reading and the record.
 */
export function assetPlaceFollower({ connections, table }: Context) {
  const own = openTable(connections.dynamo, table.organizationId, systemActor);
  return async (announced: readonly Announced[]): Promise<void> => {
    const changes = announced.flatMap(({ change }) => (change && isMade(change) ? change : []));
    const moved = idsOf(changes.filter(isMoved));
    await queueMoved({ connections, table: own }, moved);
    const on = async <T extends Stored, D extends keyof T>(entity: Entity<T, D>) => {
      const made = changes.filter((change) => change.entity === entity.name && change.kind === 'created');
      return [...new Set([...(await recordsOn(own, entity, moved)), ...idsOf(made).map(ordinalOf)])];
    };
    await settleSuggestions(own, await on(mergeSuggestions));
    await settleActions(own, await on(responseActions));
    const ofAlerts = changes.filter(({ entity }) => entity === alerts.name);
    const placed = ofAlerts.filter((change) => change.kind === 'created' || names(change, ['entities']));
    if (placed.length > 0) await settleAlerts(own, idsOf(placed).map(ordinalOf));
    for (const id of await incidentsOf(own, ofAlerts)) await settleIncident(own, id);
  };
}

const idsOf = (changes: readonly RecordChange[]): string[] => [...new Set(changes.map(({ id }) => id))];

const names = ({ fields, masked }: RecordChange, wanted: readonly string[]): boolean =>
  wanted.some((name) => name in fields || masked.includes(name));

/** An asset that is made again has a later version than the first. */
const isMoved = (change: RecordChange): boolean =>
  change.entity === assets.name &&
  (change.kind === 'updated'
    ? names(change, ['zone', 'ownerId', 'links', 'ruleLinks', 'retiredAt'])
    : change.kind === 'deleted' || change.version > 1);

async function queueMoved({ connections, table }: Context, assetIds: readonly string[]): Promise<void> {
  if (assetIds.length === 0 || (await recordsOn(table, alerts, assetIds)).length === 0) return;
  await queueTask(
    { connections, table },
    {
      operation: 'place_alerts',
      job: 'views',
      unit: 'alerts',
      input: { assetIds },
      send: { group: viewsGroup(table) },
    },
  );
}

const ASKED_AT_ONCE = 100;

/** The records that name assets, newest first. */
async function recordsOn<T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  assetIds: readonly string[],
): Promise<number[]> {
  const found: number[] = [];
  for (const asset of chunksOf(assetIds, ASKED_AT_ONCE))
    found.push(...(await ordinalsOf(table, entity, { where: { asset } })));
  return [...new Set(found)].sort((a, b) => b - a);
}

/** The incidents that alerts left, joined, or are in while they moved. */
async function incidentsOf(table: Table, changes: readonly RecordChange[]): Promise<Set<string>> {
  const moved = changes.filter((change) => names(change, ['incidentId', 'common']));
  const current = await table.findMany<StoredAlert, 'description'>(alerts, idsOf(moved), true);
  const former = moved.map(({ fields }) => fields.incidentId?.from);
  const all = [...current.map(({ incidentId }) => incidentId), ...former];
  return new Set(all.filter((id) => typeof id === 'string'));
}
