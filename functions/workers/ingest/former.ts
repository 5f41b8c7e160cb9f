import { isOpen, openSince } from '#shared/entities/finding-status.ts';
import { readScope } from '#shared/findings/scan-scope.ts';
import { allSeen, type SeenRecord, unpackState } from '#shared/findings/scan-state.ts';
import { scopeOf } from '#shared/ingest/submission.ts';
import { rowsOf } from './lookup.ts';
import { type MissingRecord, type Proof, provenBy } from './proof.ts';
import type { Session } from './session.ts';

/** What the same scan of these branches saw last. */
export async function seenOn(
  { table, connections, submission }: Session,
  names: readonly string[],
): Promise<SeenRecord[]> {
  const states = await Promise.all(
    names.map(async (ref) => {
      const { stateKey } = await readScope(table, scopeOf({ ...submission, ref }, submission.format));
      return unpackState(stateKey === undefined ? undefined : await connections.bucket.get(stateKey));
    }),
  );
  return states.flatMap((state) => [...allSeen(state)]);
}

/**
 * Open findings that stand under an earlier name of the default branch and that this scan of it proves gone. Those that it saw
 * stand under its present name by now.
 */
export async function formerOnes(session: Session, proof: Proof | undefined): Promise<MissingRecord[]> {
  const { onBranch, entity } = session;
  const names = onBranch?.branch.isDefault ? onBranch.defaultNames.slice(1) : [];
  const proves = names.length > 0 && proof ? await provenBy(proof) : undefined;
  if (!proof || !proves) return [];
  const seen = (await seenOn(session, names)).filter(({ tool }) => proof.facts.tools.includes(tool));
  const rows = await rowsOf(
    { table: session.table, entity },
    seen.map(({ id }) => id),
  );
  return seen.flatMap((one) => {
    const standing = rows.get(one.id);
    const isFormer = standing && names.includes(standing.ref ?? '') && isOpen(standing.status);
    return isFormer && openSince(standing) < proof.at && proves(standing) ? [{ seen: one, standing, proof }] : [];
  });
}
