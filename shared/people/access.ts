import { isDeepStrictEqual } from 'node:util';
import { changeCredential, putCredential, removeCredential } from '#shared/platform/auth/credential.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { partOf, roleOf, type User } from './user.ts';

type Access = Pick<User, 'id' | 'name' | 'roles' | 'status'>;

const opensAccess = ({ status }: Access): boolean => status === 'active';

/**
 * The writes by which the credential of a user follows the user: it is there exactly while the user is active. A new
 * credential begins a generation, the present millisecond, so that access tokens of an earlier one stay refused.
 */
export function accessWrites(organizationId: string, before: Access, after: Access): Write[] {
  const { id, name } = after;
  if (!opensAccess(after)) return opensAccess(before) ? [removeCredential({ organizationId, id })] : [];
  const isNew = !opensAccess(before);
  const [role, part] = [roleOf(after), partOf(after)];
  if (!isNew && name === before.name && role === roleOf(before) && isDeepStrictEqual(part, partOf(before))) return [];
  const facts = { id, kind: 'user' as const, name, secrets: [], role, ...(part && { part }) };
  return isNew
    ? [putCredential(organizationId, { ...facts, generation: nowMs() }, 'absent')]
    : [changeCredential({ organizationId, id }, { name, role, part })];
}
