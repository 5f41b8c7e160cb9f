import type { ClosingCode } from '#shared/findings/closing/closing-code.ts';
import { type KnownScans, type WhyOpen, whyOpen } from '#shared/findings/closing/why-open.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { isOpen } from '#shared/findings/finding/finding-status.ts';
import { toolKey } from '#shared/findings/finding/finding-words.ts';
import { isManual } from '#shared/findings/finding/manual.ts';
import { lastSeen } from '#shared/findings/view/last-seen.ts';
import { type ScopeRow, scopeRows } from '#shared/findings/view/scan-scope.ts';
import { type Seen, sightingsOf } from '#shared/findings/view/view.ts';
import { type ImportedReport, importedReports, targetKey } from '#shared/ingest/imported-report.ts';
import { closingScanOf, type KeptProof } from '#shared/ingest/kept-proof.ts';
import { scopeOfImport, taskFiles } from '#shared/ingest/submission.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** So many of the newest imports of a target may be of other branches, zones or tools. */
const NEWEST_IMPORTS = 10;

/**
 * Why a finding is still open. It follows from the row of its scan scope, the proof that the last scan of the scope left, and the
 * records of later imports of the same target by the same tool.
 */
export async function readWhyOpen(
  context: Context,
  finding: StoredFinding,
  seen: Seen | undefined,
): Promise<WhyOpen | null> {
  const sighting = {
    tool: seen?.tool ?? finding.tool,
    seenAt: Date.parse(sightingsOf(finding, seen).lastSeenAt),
  };
  const judged = { ...finding, seen: sighting, isManual: isManual(finding) };
  if (!isOpen(finding.status) || judged.isManual) return whyOpen(judged, {});
  const { table } = context;
  const [scope, imports] = await Promise.all([
    table.rows(scopeRows).find({ id: finding.scope }),
    table.list(importedReports, {
      paginateFrom: 0,
      paginateSize: NEWEST_IMPORTS,
      where: { target: targetKey({ type: finding.asset.type, value: finding.asset.name }) },
    }),
  ]);
  const own = scope && (await ownScan(context, scope));
  const later = await laterScan(context, finding, { imports: imports.data, since: own?.scan.at ?? '' });
  const why = whyOpen(judged, { own, later });
  return why && { ...why, message: [why.message, ...(await lackOfReport(table, why))].join(' ') };
}

/** Closing codes that follow from what the report of a scan lacks. */
const BY_REPORT: readonly ClosingCode[] = ['report_incomplete', 'not_reached', 'not_looked_for'];

/** Why the report of the scan is incomplete. */
async function lackOfReport(table: Table, { missing, scan }: WhyOpen): Promise<string[]> {
  if (!scan || !BY_REPORT.includes(missing)) return [];
  const found = await table.findUnique(importedReports, { field: 'task', value: scan.taskId });
  return [...(found?.incomplete ?? []).map(({ message }) => message), ...(found?.error ? [found.error.message] : [])];
}

/** The last scan of the finding's scan scope. */
async function ownScan({ table, connections }: Context, scope: ScopeRow): Promise<KnownScans['own']> {
  const { lastScan, lastScanAt, heldBy } = scope;
  if (!lastScan || lastScanAt === undefined) return undefined;
  const { taskId, tool, missing } = lastScan;
  const scan = { taskId, at: lastScanAt, tool };
  if (missing !== undefined && missing !== 'held') return { scan, missing };
  const kept = await readJson<KeptProof>(connections.bucket, taskFiles(table.organizationId, taskId).proof);
  const proof = kept && (await closingScanOf(kept));
  // a confirmed closing is held no longer
  return { scan, proof, missing: heldBy === taskId ? missing : undefined };
}

type Later = { imports: readonly ImportedReport[]; since: string };

/** The newest import of the finding's target that came in after `since` and does not decide about the finding. */
async function laterScan(
  context: Context,
  finding: StoredFinding,
  { imports, since }: Later,
): Promise<KnownScans['later']> {
  const tool = toolKey(finding.tool);
  const isAlike = (one: ImportedReport) =>
    one.ref === (finding.ref ?? null) &&
    one.zone === finding.asset.zone &&
    one.receivedAt > since &&
    one.status !== 'undone' &&
    // nobody knows the tool of a report that could not be read
    (one.status === 'failed' ? scopeOfImport(one) === finding.scope : one.tools.map(toolKey).includes(tool));
  const found = imports.find(isAlike);
  if (!found) return undefined;
  const missing = await lackOf(context, finding, found);
  return missing && { scan: { taskId: found.taskId, at: found.receivedAt, tool: finding.tool }, missing };
}

async function lackOf(
  { table, connections }: Context,
  finding: StoredFinding,
  found: ImportedReport,
): Promise<ClosingCode | undefined> {
  const scope = scopeOfImport(found);
  if (found.status === 'failed') return 'report_incomplete';
  if (scope === finding.scope) return undefined;
  const { id } = finding;
  const seen = (await lastSeen(connections.bucket, table, [{ id, scope }])).get(id);
  return (seen?.lastSeenAt ?? '') >= found.receivedAt ? 'still_reported' : 'not_in_scope';
}
