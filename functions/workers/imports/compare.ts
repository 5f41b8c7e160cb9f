import { notProvenGone } from '#shared/findings/closing/proven-gone.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { isOpen } from '#shared/findings/finding/finding-status.ts';
import { bySeverity, noCounts, type Tally, together } from '#shared/findings/gate/comparison.ts';
import { allSeen } from '#shared/findings/view/scan-state.ts';
import { closingScanOf, type KeptProof } from '#shared/ingest/kept-proof.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Comparison } from '#shared/reports/report/comparison.ts';
import { changesIn } from '#shared/scanning/engagements/finding-changes.ts';
import { rowsOf } from './lookup.ts';
import type { Closed, Compared } from './phases.ts';
import { loadChunk } from './read-report.ts';

/** Compares the report with its base, and lists the findings that a gate may ask for. */
export async function compare(closed: Closed): Promise<Compared> {
  const { connections, files, onBranch, manifest, held, progress } = closed;
  const proof = held ? undefined : closed.proof;
  const parts = Array.from({ length: Math.max(1, manifest.chunks) }, (_, n) =>
    readJson<Tally>(connections.bucket, files.tally(n)),
  );
  const { listed, ...counts } = together((await Promise.all(parts)).flatMap((tally) => tally ?? []));
  const baseRef = onBranch?.base ?? onBranch?.defaultNames[0] ?? null;
  const isOwnBase = onBranch?.branch.isDefault ?? true;
  const onOwnBase = { ...noCounts(), ...changesIn(progress.checkpoint.severities).closed };
  const gone = isOwnBase ? onOwnBase : proof && (await goneFromBase(closed, proof));
  const fixed = proof ? (gone ?? null) : null;
  const compared = { comparison: { baseRef: baseRef === '' ? null : baseRef, ...counts, fixed }, listed };
  await connections.bucket.put(files.compared, JSON.stringify(compared));
  return { ...closed, compared };
}

/** Open findings that the same scan of the default branch saw and that this scan of a branch proves gone there. */
async function goneFromBase(closed: Closed, proof: KeptProof): Promise<Comparison['fixed']> {
  const [has, scan] = await Promise.all([othersOf(closed), closingScanOf(proof)]);
  const keptOpenBy = notProvenGone(scan);
  const seen = closed.earlier.others.flatMap((state) => [...allSeen(state)]);
  const missing = seen.filter(({ fingerprint, tool }) => proof.facts.tools.includes(tool) && !has.has(fingerprint));
  const rows = await rowsOf(
    { table: closed.table, entity: findings },
    missing.map(({ id }) => id),
  );
  return bySeverity([...rows.values()].filter((row) => isOpen(row.status) && keptOpenBy(row) === undefined));
}

/** The fingerprints that the report's problems have on the default branch. */
async function othersOf(closed: Closed): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let n = 0; n < Math.max(1, closed.manifest.chunks); n++)
    for (const { others = [] } of await loadChunk(closed, n)) for (const one of others) found.add(one);
  return found;
}
