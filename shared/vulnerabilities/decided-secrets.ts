import { exposedCredentials, type StoredCredential } from '../entities/exposed-credential.ts';
import type { FindingRow } from '../findings/view.ts';
import type { Table } from '../table/table.ts';
import { readTargets } from '../views/targets.ts';
import type { DecidedOn } from './overlay.ts';

/** The exposed credentials of findings about secrets, by their keys. */
export function credentialsOf(table: Table, found: readonly FindingRow[]): Promise<Map<string, StoredCredential>> {
  const keys = new Set(found.flatMap(({ secret }) => secret?.key ?? []));
  return readTargets(table, { target: exposedCredentials, field: 'key' }, [...keys]);
}

/**
 * The decision that a finding follows: that its secret is none. One that is rotated stays in its place, so that its finding is
 * open until a scan does not see it any more.
 */
export function decidedSecret({ secret }: FindingRow, known: ReadonlyMap<string, StoredCredential>): DecidedOn[] {
  const credential = secret && known.get(secret.key);
  if (!credential) return [];
  const { id, decision } = credential;
  if (decision?.status !== 'false_positive') return [{ id, decision: undefined, assignee: undefined }];
  const { at, reason } = decision;
  return [{ id, decision: { status: 'false_positive', at, ...(reason && { reason }) }, assignee: undefined }];
}
