import { expect } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import { lastSeen } from '#shared/findings/view/last-seen.ts';
import { findingView } from '#shared/findings/view/view.ts';
import { readUse } from '#shared/platform/quotas/places.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';

/** Every finding of an organization as `get` shows it, in order of fingerprint. */
export async function allFindings({ connections, table }: Context) {
  const { data } = await table.list(findings, { paginateFrom: 0, paginateSize: 500 });
  const seen = await lastSeen(connections.bucket, table, data);
  const whole = await Promise.all(data.map(({ id }) => table.get(findings, id, true)));
  return whole
    .map((finding) => findingView(finding, seen.get(finding.id)))
    .sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
}

type Findings = Awaited<ReturnType<typeof allFindings>>;

/** status by file, as in `{'src/a.ts': 'open'}`: what most tests ask. */
export const statuses = (all: Findings): Record<string, string> =>
  Object.fromEntries(all.map(({ location, status }) => [location.split(':')[0] ?? '', status]));

/** Everything that an organization has, without what differs by chance or by time: ids, ordinals, moments. */
export async function contents(context: Context) {
  const all = await allFindings(context);
  const histories = await Promise.all(all.map(({ id }) => context.table.rows(findingHistory).query(id)));
  const everyAsset = await context.table.list(assets, { paginateFrom: 0, paginateSize: 500 });
  const {
    'since:critical': _c,
    'since:high': _h,
    'since:medium': _m,
    'since:low': _l,
    'since:info': _i,
    ...facets
  } = await context.table.facets(findings);
  return {
    facets: Object.fromEntries(Object.entries(facets).filter(([, amount]) => amount !== 0)),
    assets: everyAsset.data.map(({ type, value, zone }) => ({ type, value, zone })),
    findings: all.map(
      ({ title, severity, status, reopenedCount, location, occurrences, asset, fingerprint, version }, n) => ({
        title,
        severity,
        status,
        reopenedCount,
        location,
        occurrences,
        fingerprint,
        version,
        asset: [asset.type, asset.name, asset.zone],
        history: histories[n]?.map(({ changes }) => changes),
      }),
    ),
  };
}

/** Counters, positions, search rows and unique values are exactly those of the records. */
export async function expectSound(table: Table): Promise<void> {
  const results = [await verify(table, findings), await verify(table, branchFindings)];
  results.push(await verify(table, branches), await verify(table, assets));
  for (const { differences, unsettled } of results)
    expect({ differences, unsettled }).toEqual({ differences: [], unsettled: 0 });
  expect((await readUse(table)).get('runningImports')).toBe(0);
}
