import { RECENT_SECONDS, recentScans } from '#shared/findings/view/recent-scans.ts';
import { findSeenById } from '#shared/findings/view/scan-state.ts';
import { readScopeState } from '#shared/findings/view/scope-state.ts';
import type { KeptProof } from '#shared/ingest/kept-proof.ts';
import { familyOf, taskFiles } from '#shared/ingest/submission.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import type { Accepted } from './phases.ts';
import type { MissingRecord } from './proof.ts';

/** The scans that came in after this one and are applied already, because this one is worked late. */
type NewerScans = {
  /** The proofs of newer scans of the same scan scope, oldest first. */
  proofs: KeptProof[];
  /** Whether any of them is of the same scope. */
  isOfScope: boolean;
  /** The scopes of the others. */
  others: string[];
};

type Older = Pick<Accepted, 'table' | 'connections' | 'submission' | 'scope' | 'at'>;

export async function newerScans({ table, connections, submission, scope, at }: Older): Promise<NewerScans> {
  const after = { from: `${at}$`, to: '~' };
  const rows = await table.rows(recentScans).query(familyOf(submission), { between: after, consistent: true });
  const mine = rows.filter((row) => row.scope === scope && row.proves);
  const kept = await eachAtOnce(mine, READS_AT_ONCE, ({ taskId }) =>
    readJson<KeptProof>(connections.bucket, taskFiles(table.organizationId, taskId).proof),
  );
  const others = new Set(rows.flatMap((row) => (row.scope === scope ? [] : [row.scope])));
  const isOfScope = rows.some((row) => row.scope === scope);
  return { proofs: kept.flatMap((proof) => proof ?? []), isOfScope, others: [...others] };
}

const READS_AT_ONCE = 10;

/** The missing findings without those that a newer scan of another scope saw (`not_newer`). */
export async function unseenBy(
  { table, connections }: Accepted,
  scopes: readonly string[],
  missing: readonly MissingRecord[],
): Promise<MissingRecord[]> {
  let left = [...missing];
  await eachAtOnce(left.length > 0 ? scopes : [], READS_AT_ONCE, async (scope) => {
    const state = await readScopeState(connections.bucket, table, scope);
    left = left.filter(({ current, proof }) => (findSeenById(state, current.id)?.seenAt ?? 0) < proof.since);
  });
  return left;
}

/** The write by which older reports that are worked later find this scan. */
export function recentScanWrite({ table, submission, scope, taskId, at }: Accepted, proves: boolean): Write {
  const row = {
    family: familyOf(submission),
    at,
    taskId,
    scope,
    proves,
    expiresAt: inSeconds(RECENT_SECONDS),
  };
  return putWrite(table.tenant, recentScans, { row });
}
