import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { isAllowed } from '#shared/platform/auth/permissions.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { keysNamedBy } from '#shared/vulnerabilities/vulnerability/named.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { exposureOf } from './graph.ts';
import { type assetExposureRoutes, MAX_LISTED } from './routes.ts';

export const assetExposureHandlers: Handlers<typeof assetExposureRoutes> = {
  async getAssetExposure({ table, caller, params }) {
    const mayReadSecrets = isAllowed(caller, reads('findings:read'));
    const [asset, open, credentials, ports] = await Promise.all([
      table.get(assets, params.id),
      openOn(table, params.id),
      mayReadSecrets ? activeOn(table, params.id) : { data: [], totalCount: 0 },
      portsOn(table, params.id),
    ]);
    const linked = await linkedTo(table, asset);
    const known = { open: open.data, credentials: credentials.data, ports: ports.byKey, applications: linked.found };
    const graph = exposureOf(asset, known);
    const isCut = [open, credentials].some(({ data, totalCount }) => totalCount > data.length);
    return { ...graph, truncated: graph.truncated || isCut || ports.truncated || linked.truncated };
  },
};

const openOn = (table: Table, asset: string) =>
  table.list(vulnerabilities, {
    paginateFrom: 0,
    paginateSize: MAX_LISTED.vulnerabilities,
    where: { asset, status: OPEN_STATUSES },
    sort: 'priority',
  });

const activeOn = (table: Table, asset: string) =>
  table.list(exposedCredentials, {
    paginateFrom: 0,
    paginateSize: MAX_LISTED.credentials,
    where: { asset, status: 'active' },
  });

async function linkedTo(table: Table, asset: Asset) {
  const ids = asset.retiredAt ? [] : applicationsOf(asset);
  const found = await table.findMany(applications, ids.slice(0, MAX_LISTED.applications));
  return { found, truncated: ids.length > MAX_LISTED.applications };
}

/** The most open findings whose ports an answer reads. */
const LOOKED_AT = 100;

/** The ports on which open findings report each vulnerability and each secret, by their keys. */
async function portsOn(table: Table, asset: string): Promise<{ byKey: Map<string, Set<number>>; truncated: boolean }> {
  const range = { paginateFrom: 0, paginateSize: LOOKED_AT };
  const page = await table.list(findings, { ...range, where: { asset, status: OPEN_STATUSES }, sort: 'priority' });
  const ids = page.data.map(({ id }) => id);
  const [whole, keys] = await Promise.all([
    wholeRecordsAt(table, findings, { ordinals: ids.map(ordinalOf) }),
    keysNamedBy(table, ids),
  ]);
  const byKey = new Map<string, Set<number>>();
  for (const { id, locationDetail, secret } of whole)
    for (const key of [...(keys.get(id) ?? []), ...(secret ? [secret.key] : [])])
      if (locationDetail.port !== undefined) byKey.set(key, (byKey.get(key) ?? new Set()).add(locationDetail.port));
  return { byKey, truncated: page.totalCount > page.data.length };
}
