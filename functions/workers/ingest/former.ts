import { isOpen, openSince } from '#shared/entities/finding-status.ts';
import { allSeen } from '#shared/findings/scan-state.ts';
import { rowsOf } from './lookup.ts';
import { type MissingRecord, type Proof, provenBy } from './proof.ts';
import type { Session } from './session.ts';

/**
 * Open findings that stand under an earlier name of the default branch and that this scan of it proves gone. Those that it saw
 * stand under its present name by now.
 */
export async function formerOnes(session: Session, proof: Proof | undefined): Promise<MissingRecord[]> {
  const { onBranch, others } = session;
  const isFormer = onBranch?.branch.isDefault && others.length > 0;
  const proves = isFormer && proof ? await provenBy(proof) : undefined;
  if (!proof || !proves) return [];
  const seen = others.flatMap((state) => [...allSeen(state)]).filter(({ tool }) => proof.facts.tools.includes(tool));
  const rows = await rowsOf(
    session,
    seen.map(({ id }) => id),
  );
  return seen.flatMap((one) => {
    const standing = rows.get(one.id);
    const isLeft = standing && isOpen(standing.status) && (standing.ref ?? '') !== onBranch?.branch.name;
    return isLeft && openSince(standing) < proof.at && proves(standing) ? [{ seen: one, standing, proof }] : [];
  });
}
