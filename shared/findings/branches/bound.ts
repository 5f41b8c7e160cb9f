import { refName, repositoryName } from '#shared/assets/targets/repository.ts';
import type { Bound, Caller } from '#shared/platform/auth/permissions.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { fitsExactly } from '#shared/platform/runtime/wildcard.ts';

/** The repositories and branches to which a caller is bound; undefined: its scopes alone decide. */
export const boundOf = (caller: Caller): Bound | undefined => (caller.kind === 'api_key' ? caller.bound : undefined);

type Place = { repositories: readonly string[]; ref: string };

/** Whether the caller may report on a branch. `repositories`: the names of its repository. */
export function mayReport(caller: Caller, { repositories, ref }: Place): boolean {
  const bound = boundOf(caller);
  return !bound || (isOf(bound, repositories) && fitsRefs(bound, ref));
}

/** Whether the caller may end a branch. */
export function mayEnd(caller: Caller, { repositories, ref }: Place): boolean {
  const bound = boundOf(caller);
  return !bound || (isOf(bound, repositories) && (bound.endsBranches === true || fitsRefs(bound, ref)));
}

export const fitsRefs = ({ refs }: Pick<Bound, 'refs'>, ref: string): boolean =>
  refs === undefined || refs.some((pattern) => fitsExactly(pattern, refName(ref)));

const isOf = (bound: Bound, repositories: readonly string[]): boolean =>
  repositories.some((name) => bound.repositories.includes(repositoryName(name)));

export const outOfBounds = (what: string): ApiError => new ApiError('insufficient_scope', what);
