import type { ExposedCredential, StoredCredential } from '../entities/exposed-credential.ts';
import { invalid } from '../runtime/errors.ts';
import type { Actor } from '../table/actor.ts';
import { statusFields } from './fold.ts';

type Wanted = { status?: ExposedCredential['status'] | undefined; reason?: string | null | undefined };

/**
 * The changes that a person's decision makes; undefined where it is so already.
 * @throws validation_failed for an end without a reason
 */
export function decide(
  standing: StoredCredential,
  { status = standing.status, reason }: Wanted,
  { at, by }: { at: string; by: Actor },
): Partial<StoredCredential> | undefined {
  const { decision } = standing;
  const isSame = status === standing.status && (reason ?? undefined) === (decision?.reason ?? undefined);
  if (isSame || (status === standing.status && reason === undefined)) return undefined;
  if (status !== 'active' && !reason)
    throw invalid('reason', `is required with the status ${status}: say how you know, such as "rotated in the vault"`);
  const facts = standing.said.map(([one]) => one);
  return statusFields(facts, { status, at, by, ...(reason && { reason }) });
}
