import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { beginning, KEPT, type Kept, keptWrite, readKept } from '#shared/platform/views/kept.ts';
import type { Move } from '#shared/platform/views/view.ts';
import type { CredentialFacts, StoredCredential } from './exposed-credential.ts';

type Decision = NonNullable<StoredCredential['decision']>;

export const keptCredentialDecisions = defineRow<Kept<{ decision: Decision }>, { key: string }>({
  name: 'credential-kept',
  about: 'what a person decided about an exposed credential that is gone, for when its secret is found again',
  ...KEPT,
});

export const keptCredential = ({ tenant }: Table, { key, decision }: StoredCredential): Write =>
  keptWrite(tenant, keptCredentialDecisions, { key, decided: decision && { decision } });

/** The decisions, by key, with which credentials begin that are made by these moves. */
export async function decisionsFor(
  table: Table,
  moves: readonly Move<CredentialFacts>[],
  current: readonly StoredCredential[],
): Promise<Map<string, Decision>> {
  const kept = await readKept(table, keptCredentialDecisions, beginning(moves, current));
  return new Map([...kept].map(([key, { decision }]) => [key, decision]));
}
