import { isOpenItself, openSince } from '#shared/findings/finding/finding-status.ts';
import { allSeen, type SeenRecord } from '#shared/findings/view/scan-state.ts';
import { rowsOf } from './lookup.ts';
import { type MissingRecord, type Proof, provenBy } from './proof.ts';
import type { Session } from './session.ts';

/**
 * Open findings that the same scan saw under an earlier name of the default branch or of the repository, and that this scan
 * proves gone; `state` is that of the scope after it.
 */
export async function missingUnderOldNames(
  session: Session,
  proof: Proof | undefined,
  state: readonly SeenRecord[],
): Promise<MissingRecord[]> {
  const { onBranch, others } = session;
  const isFormer = onBranch?.branch.isDefault && others.length > 0;
  const proves = isFormer && proof ? await provenBy(proof) : undefined;
  if (!proof || !proves) return [];
  const seen = others.flatMap((state) => [...allSeen(state)]).filter(({ tool }) => proof.facts.tools.includes(tool));
  const known = new Set(state.map(({ id }) => id));
  const missing = new Map(seen.flatMap((one) => (known.has(one.id) ? [] : [[one.id, one] as const])));
  const rows = await rowsOf(session, [...missing.keys()]);
  return [...missing.values()].flatMap((one) => {
    const current = rows.get(one.id);
    const isLeft = current && isOpenItself(current);
    return isLeft && openSince(current) < proof.at && proves(current) ? [{ seen: one, current, proof }] : [];
  });
}
