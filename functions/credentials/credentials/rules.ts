import { refName, repositoryName } from '#shared/assets/targets/repository.ts';
import type { ApiKey } from '#shared/credentials/api-key.ts';
import { readSettings } from '#shared/credentials/organization-settings.ts';
import type { ServiceAccount } from '#shared/credentials/service-account.ts';
import { reads, writes } from '#shared/platform/auth/access.ts';
import type { RoleArea } from '#shared/platform/auth/levels.ts';
import {
  type Caller,
  isAdmin,
  isAllowed,
  isStaffRole,
  type MachineKind,
  type Scope,
} from '#shared/platform/auth/permissions.ts';
import { inSeconds, nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 366 * DAY_SECONDS;

const LINKED: Record<MachineKind, RoleArea> = {
  scanner: 'scanning',
  apex: 'scanning',
  agent: 'assets',
  collector: 'soc',
  integrator: 'soc',
};

/** The holder of a custom role links no machine of an area that it does not administer. @throws insufficient_scope */
export function assertMayLink(caller: Caller, kind: MachineKind): void {
  if (!isAdmin(caller, LINKED[kind]))
    throw new ApiError(
      'insufficient_scope',
      `A link token for the kind ${kind} needs the level manage of ${LINKED[kind]}.`,
    );
}

/** No key opens what its maker may not do. @throws insufficient_scope */
export function assertMayGiveScopes(caller: Caller, scopes: readonly Scope[]): void {
  const above = scopes.filter((scope) =>
    scope.endsWith(':read') ? !isAllowed(caller, reads(scope)) : !isAllowed(caller, writes(scope), 'change'),
  );
  if (above.length > 0)
    throw new ApiError('insufficient_scope', `Your role does not include the scopes ${above.join(', ')}.`);
}

/** The repositories and branches of a key, in the spelling of imports. @throws validation_failed for a key that may do more than import */
export function boundOf({ scopes, boundTo }: Pick<ApiKey, 'scopes' | 'boundTo'>): ApiKey['boundTo'] {
  if (boundTo === undefined) return undefined;
  if (scopes.some((scope) => scope !== 'imports:write'))
    throw invalid('boundTo', 'must be left out: only a key with the one scope imports:write can be bound');
  return {
    repositories: boundTo.repositories.map(repositoryName),
    ...(boundTo.refs && { refs: boundTo.refs.map(refName) }),
  };
}

type Given = Pick<ServiceAccount, 'role' | 'scope' | 'email' | 'skills'>;

/** @throws validation_failed for an email or skills without a role of staff: clients see staff only; for a part of an owner or of staff */
export function assertStaffFields({ role, scope, email, skills }: Given): void {
  if (scope && (role === 'owner' || isStaffRole(role)))
    throw invalid('scope', 'must be left out: owners answer for the whole organization, and staff have engagements');
  if (isStaffRole(role)) return;
  if (email !== null) throw invalid('email', 'must be null unless the role is one of staff');
  if (skills.length > 0) throw invalid('skills', 'must be empty unless the role is one of staff');
}

/** The time at which a link token expires: by default a day from now. */
export function linkTokenEnd(expiresAt: string | undefined): string {
  if (expiresAt === undefined) return inSeconds(DAY_SECONDS);
  assertAhead(expiresAt);
  if (Date.parse(expiresAt) > nowMs() + YEAR_SECONDS * 1000)
    throw invalid('expiresAt', 'must be at most a year from now');
  return inUtc(expiresAt);
}

/**
 * The time at which an API key or service account expires: as asked, or as late as the organization allows.
 * @throws validation_failed
 */
export async function endOfLife(table: Table, expiresAt: string | null): Promise<string | null> {
  const { maximumCredentialDays: days } = await readSettings(table);
  const latest = days === 0 ? null : inSeconds(days * DAY_SECONDS);
  if (expiresAt === null) return latest;
  assertAhead(expiresAt);
  const end = inUtc(expiresAt);
  if (latest !== null && end > latest)
    throw invalid('expiresAt', `must be at most ${days} days from now (maximumCredentialDays of the organization)`);
  return end;
}

function assertAhead(time: string): void {
  if (Date.parse(time) <= nowMs()) throw invalid('expiresAt', 'must be in the future');
}

/** Times are compared as texts once they are stored. */
const inUtc = (time: string): string => new Date(time).toISOString();
