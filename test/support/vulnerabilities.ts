import { openViews } from '#functions/workers/views/list.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Draft, Table } from '#shared/platform/table/table.ts';
import { type Beside, keepViews } from '#shared/platform/views/follow.ts';
import { findingDraft } from './findings.ts';

export const log4j = (fields: Partial<Draft<StoredFinding>> = {}) => ({
  title: 'Log4Shell',
  severity: 'critical' as const,
  tool: 'trivy',
  ruleId: 'CVE-2021-44228',
  cves: ['CVE-2021-44228'],
  component: {
    name: 'log4j-core',
    version: '2.14.1',
    purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
    fixedVersions: ['2.17.1'],
  },
  ...fields,
});

export const assetNamed = (name: string) => ({ id: newId(), type: 'host' as const, name, zone: null });

export const addFinding = (table: Table, fields: Partial<Draft<StoredFinding>>, at = new Date().toISOString()) =>
  table.create(findings, findingDraft(at, fields));

const MAX_AHEAD_MS = 10_000;

/** Brings the views of an organization up to its changes. Its time goes 20 times as fast: changes rest for three seconds. */
export async function follow({ connections, table }: Context, beside?: Beside): Promise<void> {
  const start = Date.now();
  // an entry of the future holds a place of the service's worker until its time comes
  setClock(() => Math.min(start + (Date.now() - start) * 20, Date.now() + MAX_AHEAD_MS));
  try {
    await keepViews(table, await openViews(connections), () => false, beside);
  } finally {
    setClock();
  }
}
