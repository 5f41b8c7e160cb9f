import type { Dynamo } from '../runtime/dynamo.ts';
import { isId } from '../runtime/ids.ts';
import { MinuteCache } from '../runtime/minute-cache.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '../table/io/row.ts';
import { openTable } from '../table/table.ts';
import type { Grants, Holder } from './permissions.ts';

type RoleGrants = Grants & { id: string };

/** Beside the record of the role, in its transaction. */
export const roleGrants = defineRow<RoleGrants, Pick<RoleGrants, 'id'>>({
  name: 'role-grants',
  about: 'the levels of a custom role, which authentication reads',
  key: ({ id }) => [id],
});

export const putGrants = ({ tenant }: Place, { id, basedOn, areas }: RoleGrants): Write =>
  putWrite(tenant, roleGrants, { row: { id, basedOn, areas } });

export const removeGrants = ({ tenant }: Place, id: string): Write => ({ remove: rowKey(tenant, roleGrants, { id }) });

type Place = { tenant: string };

const known = new MinuteCache<Grants | undefined>();

/** The holder with the grants of a custom role, at most a minute old. A role without grants was deleted, and opens nothing. */
export async function withGrants<H extends Holder>(dynamo: Dynamo, organizationId: string, holder: H): Promise<H> {
  const { role } = holder;
  if (!isId(role)) return holder;
  const read = () => openTable(dynamo, organizationId).rows(roleGrants).find({ id: role }, true);
  return { ...holder, grants: await known.get(dynamo, `${organizationId}/${role}`, read) };
}
