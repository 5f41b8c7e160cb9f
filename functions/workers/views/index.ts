import { endpointFollower } from '#shared/events/wake.ts';
import { assetRuleFollower } from '#shared/exposure/asset-rules/follow.ts';
import { subscriptionFollower } from '#shared/notifications/follow.ts';
import { byOperation, workerHandler } from '#shared/platform/jobs/worker.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { type Beside, keepViews } from '#shared/platform/views/follow.ts';
import { wakeViews } from '#shared/platform/views/wake.ts';
import { ticketFollower } from '#shared/ticketing/follow.ts';
import { applyAssetRules } from './apply-rules.ts';
import { assetPlaceFollower, placeAlerts } from './asset-places.ts';
import { assetTagFollower, retagVulnerabilities } from './asset-tags.ts';
import { findingAlertFollower } from './finding-alerts.ts';
import { identityFollower } from './identity/follow.ts';
import { openViews } from './list.ts';
import { rebuild } from './rebuild.ts';
import { rescoreVulnerabilities } from './rescore.ts';
import { results } from './results.ts';

/** A visit ends well before the function's time limit; a message of its own goes on. */
const VISIT_MS = 40_000;

const run = byOperation({
  maintenance_views: rebuild,
  rescore_vulnerabilities: rescoreVulnerabilities,
  apply_asset_rules: applyAssetRules,
  retag_vulnerabilities: retagVulnerabilities,
  place_alerts: placeAlerts,
} satisfies Record<keyof typeof results, unknown>);

export const handler = workerHandler('views', run, { results, visit });

async function visit({ connections, table }: Context): Promise<void> {
  const end = elapsedMs() + VISIT_MS;
  const views = await openViews(connections);
  const place = { connections, table };
  const followers = [
    identityFollower(place),
    assetRuleFollower(place),
    assetTagFollower(place),
    ticketFollower(place),
    findingAlertFollower(place),
    assetPlaceFollower(place),
    endpointFollower(place),
    subscriptionFollower(place),
  ];
  const beside: Beside = async (changes) => {
    for (const follow of followers) await follow(changes);
  };
  if (await keepViews(table, views, () => elapsedMs() > end, beside)) return;
  await wakeViews(connections, table, newId());
}
