import { findings } from '../entities/finding.ts';
import type { StoredVulnerability } from '../entities/vulnerability.ts';
import { lastSeen } from '../findings/last-seen.ts';
import { sightingsOf } from '../findings/view.ts';
import type { Bucket } from '../runtime/bucket.ts';
import { ordinalOf } from '../runtime/ids.ts';
import { wholeRecordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import { indexedNames } from './followers.ts';
import { keysNamedBy } from './named.ts';

type Named = Pick<StoredVulnerability, 'key' | 'asset' | 'advisoryId' | 'ruleIds' | 'firstSeenAt'>;

/** Findings that are looked at for those of one component. */
const LOOKED_AT = 50;
const SHOWN = 10;

/** The newest findings of a vulnerability, and when they were seen last. */
export async function findingsOf(table: Table, bucket: Bucket, vulnerability: Named) {
  const range = { paginateFrom: 0, paginateSize: LOOKED_AT };
  const asked = Object.entries(indexedNames(vulnerability)).map(([name, value]) =>
    table.list(findings, { ...range, where: { asset: vulnerability.asset.id, [name]: value } }),
  );
  const found = (await Promise.all(asked)).flatMap(({ data }) => data.map(({ id }) => ordinalOf(id)));
  const newest = [...new Set(found)].sort((a, b) => b - a).slice(0, LOOKED_AT);
  const whole = await wholeRecordsAt(table, findings, { ordinals: newest });
  const keys = await keysNamedBy(
    table,
    whole.map(({ id }) => id),
  );
  const shown = whole.filter(({ id }) => keys.get(id)?.includes(vulnerability.key)).slice(0, SHOWN);
  const seen = await lastSeen(bucket, table, shown);
  const times = shown.map((finding) => sightingsOf(finding, seen.get(finding.id)).lastSeenAt);
  return { findings: shown.map(({ id }) => id), lastSeenAt: times.sort().at(-1) ?? vulnerability.firstSeenAt };
}
