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

/** Vulnerabilities by the feeds as they are now; findings follow the decisions on them. */
export async function openVulnerabilityView(connections: Connections): Promise<View> {
  const [facts, cveOf] = await Promise.all([readFacts(connections), readAliases(connections)]);
  return vulnerabilityView({ ...facts, cveOf }, (table, ids) => queueFollowing(connections, table, ids));
}

/** All views, in an order in which each follows those that it reads. */
export const openViews = async (connections: Connections): Promise<View[]> => [
  productView,
  serviceView,
  await openVulnerabilityView(connections),
  credentialView((table, ids) => queueFollowing(connections, table, ids)),
  advisoryGroupView,
  fixGroupView,
];
