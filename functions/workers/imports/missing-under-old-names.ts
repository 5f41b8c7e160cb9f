import { whatKeepsOpen } from '#shared/findings/closing/keeps-open.ts';
import { allSeen, type ScanState } from '#shared/findings/view/scan-state.ts';
import { closingScanOf, type KeptProof } from '#shared/ingest/kept-proof.ts';
import { rowsOf } from './lookup.ts';
import type { Accepted } from './phases.ts';
import type { MissingRecord } from './proof.ts';

/**
 * Open findings that the same scan saw under an earlier name of the default branch or of the repository, and that this scan
 * proves gone; `state` is that of the scope after it.
 */
export async function missingUnderOldNames(
  accepted: Accepted,
  proof: KeptProof | undefined,
  state: ScanState,
): Promise<MissingRecord[]> {
  const {
    onBranch,
    earlier: { others },
  } = accepted;
  if (!proof || !onBranch?.branch.isDefault || others.length === 0) return [];
  const keptOpenBy = whatKeepsOpen(await closingScanOf(proof));
  const seen = others.flatMap((state) => [...allSeen(state)]).filter(({ tool }) => proof.facts.tools.includes(tool));
  const known = new Set([...allSeen(state)].map(({ id }) => id));
  const missing = new Map(seen.flatMap((one) => (known.has(one.id) ? [] : [[one.id, one] as const])));
  const rows = await rowsOf(accepted, [...missing.keys()]);
  return [...missing.values()].flatMap((one) => {
    const current = rows.get(one.id);
    const isGone = current && keptOpenBy({ ...current, seen: one, isOfScope: true }) === undefined;
    return isGone ? [{ seen: one, current, proof }] : [];
  });
}
