import { readAliases } from '#shared/advisories/aliases.ts';
import { readFacts, readFeeds } from '#shared/advisories/facts.ts';
import { serviceView } from '#shared/assets/inventory/service-view.ts';
import { productView } from '#shared/findings/view/product-view.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { View } from '#shared/platform/views/view.ts';
import { credentialView } from '#shared/vulnerabilities/exposed-credentials/view.ts';
import { queueFollowing } from '#shared/vulnerabilities/vulnerability/following.ts';
import { advisoryGroupView, fixGroupView } from '#shared/vulnerabilities/vulnerability/groups.ts';
import { vulnerabilityView } from '#shared/vulnerabilities/vulnerability/view.ts';

/** Vulnerabilities by the feeds as they are now. @param follow brings findings to the decisions on them */
export async function openVulnerabilityView(connections: Connections, follow = followers(connections)): Promise<View> {
  const feeds = readFeeds(connections);
  const [facts, cveOf] = await Promise.all([readFacts(connections, feeds), readAliases(connections, feeds)]);
  return vulnerabilityView({ ...facts, cveOf }, follow);
}

const followers =
  (connections: Connections): NonNullable<View['after']> =>
  (table, ids) =>
    queueFollowing({ connections, table }, ids);

/**
 * All views. Of views with the same sources the one with fewer targets comes first, because records are written in the
 * order of their first target.
 */
export async function openViews(connections: Connections): Promise<View[]> {
  const follow = followers(connections);
  return [
    productView,
    serviceView,
    await openVulnerabilityView(connections, follow),
    credentialView(follow),
    fixGroupView,
    advisoryGroupView,
  ];
}
