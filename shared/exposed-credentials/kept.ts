import type { CredentialFacts, StoredCredential } from '../entities/exposed-credential.ts';
import { inSeconds } from '../runtime/clock.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import type { Move } from '../views/view.ts';

type Decision = NonNullable<StoredCredential['decision']>;
type Kept = { key: string; decision: Decision; expiresAt: string };

const KEPT_SECONDS = 400 * 86_400;

export const keptCredentialDecisions = defineRow<Kept, Pick<Kept, 'key'>>({
  name: 'credential-kept',
  about: 'what a person decided about an exposed credential that is gone, for when its secret is found again',
  key: ({ key }) => [key],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** Goes with the deletion of a credential. Where nobody decided anything, an older decision must not return either. */
export function keptWrite({ scope }: Table, { key, decision }: StoredCredential): Write {
  if (!decision) return { remove: rowKey(scope, keptCredentialDecisions, { key }) };
  return putWrite(scope, keptCredentialDecisions, { row: { key, decision, expiresAt: inSeconds(KEPT_SECONDS) } });
}

/** The decisions, by key, with which credentials begin that are made by these moves. */
export async function decisionsFor(
  table: Table,
  moves: readonly Move<CredentialFacts>[],
  standing: readonly StoredCredential[],
): Promise<Map<string, Decision>> {
  const known = new Set(standing.map(({ key }) => key));
  const missing = new Set(moves.flatMap(({ key, added }) => (added && !known.has(key) ? [key] : [])));
  const keys = [...missing].map((key) => ({ key }));
  const rows = await table.rows(keptCredentialDecisions).findMany(keys, true);
  return new Map(rows.map(({ key, decision }) => [key, decision]));
}
