import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Actor } from '#shared/platform/table/actor.ts';
import type { ExposedCredential, StoredCredential } from './exposed-credential.ts';
import { statusFields } from './fold.ts';

type Wanted = { status?: ExposedCredential['status'] | undefined; reason?: string | null | undefined };

/**
 * The changes from a person's decision; undefined where nothing changes.
 * @throws validation_failed for an end without a reason
 */
export function decide(
  current: StoredCredential,
  { status = current.status, reason }: Wanted,
  { at, by: { kind, id, name } }: { at: string; by: Actor },
): Partial<StoredCredential> | undefined {
  const { decision } = current;
  const isSame = status === current.status && (reason ?? undefined) === (decision?.reason ?? undefined);
  if (isSame || (status === current.status && reason === undefined)) return undefined;
  assertReason(status, reason);
  return decidedFields(current, { status, at, by: { kind, id, name }, ...(reason && { reason }) });
}

/** @throws validation_failed for an end without a reason */
export function assertReason(status: ExposedCredential['status'], reason: string | null | undefined): void {
  if (status !== 'active' && !reason)
    throw invalid('reason', `is required with the status ${status}: say how you know, such as "rotated in the vault"`);
}

/** The fields of a credential under a decision, or without one. */
export const decidedFields = (
  { said }: Pick<StoredCredential, 'said'>,
  decision: StoredCredential['decision'],
): Partial<StoredCredential> =>
  statusFields(
    said.map(([one]) => one),
    decision,
  );

/** Only that a secret is none concerns its findings. */
export const isFollowed = (decision: StoredCredential['decision'] | null): boolean =>
  decision?.status === 'false_positive';
