import { readAliases } from '#shared/advisories/aliases.ts';
import { readFacts } from '#shared/advisories/facts.ts';
import { credentialView } from '#shared/exposed-credentials/view.ts';
import { productView } from '#shared/inventory/product-view.ts';
import { serviceView } from '#shared/inventory/service-view.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { View } from '#shared/views/view.ts';
import { queueFollowing } from '#shared/vulnerabilities/following.ts';
import { advisoryGroupView, fixGroupView } from '#shared/vulnerabilities/groups.ts';
import { vulnerabilityView } from '#shared/vulnerabilities/view.ts';

/** Vulnerabilities by the feeds as they are now. @param follow brings findings to the decisions on them */
export async function openVulnerabilityView(connections: Connections, follow = followers(connections)): Promise<View> {
  const [facts, cveOf] = await Promise.all([readFacts(connections), readAliases(connections)]);
  return vulnerabilityView({ ...facts, cveOf }, follow);
}

const followers =
  (connections: Connections): NonNullable<View['after']> =>
  (table, ids) =>
    queueFollowing(connections, table, ids);

/**
 * All views. Of those with the same sources the one with fewer targets comes first, because records are written in
 * the order of their first target.
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
