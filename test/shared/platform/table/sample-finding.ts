import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { longId, makeId } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import type { Store } from '../../../support/store.ts';

const ORDINAL = 5000;
const FIRST_SEEN = '2026-01-15T08:00:00.000Z';
const idAt = (ordinal: number) => makeId(ordinal, Date.parse(FIRST_SEEN), Buffer.from('01234'));

/** The organization of docs/store.md. Its id and the asset's spell words in keys. */
const ORGANIZATION = longId('Example-company-00000A');

/** The finding that docs/store.md draws: an outdated web server, as a scan of `web-01` would report it. */
const sample: Omit<StoredFinding, 'version' | 'createdAt' | 'updatedAt' | 'createdBy'> = {
  id: idAt(ORDINAL),
  title: 'Outdated nginx',
  severity: 'high',
  status: 'open',
  reopenedCount: 0,
  priority: 70,
  cves: ['CVE-2021-23017'],
  cwes: [],
  asset: { id: longId('My-host-example-00000A'), type: 'host', name: 'web-01', zone: null },
  location: 'web-01:443',
  tool: 'nmap',
  ruleId: 'nginx-1.18',
  firstSeenAt: FIRST_SEEN,
  dueAt: '2026-02-14T08:00:00.000Z',
  tags: [],
  scope: 'kX3mP9Qa',
  locationDetail: {},
  evidence: [],
  references: [],
  fingerprint: 'b7Rk2vQz',
  fingerprintVersion: 1,
  contentHash: 'h1',
  taskId: idAt(3),
};

/** Stores the sample as record number 5,000 of its collection, at the time when it was seen first. */
export async function storeSample({ dynamo }: Store): Promise<Table> {
  const table = openTable(dynamo, ORGANIZATION);
  await table.reserveOrdinals(findings, ORDINAL + 1);
  setClock(() => Date.parse(FIRST_SEEN));
  await table.create(findings, sample).finally(() => setClock());
  return table;
}
