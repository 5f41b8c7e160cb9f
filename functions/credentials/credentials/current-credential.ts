import * as z from 'zod';
import { ApiKey } from '#shared/credentials/api-key.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { type Caller, MACHINE_KINDS } from '#shared/platform/auth/permissions.ts';
import { Id, objectNamed } from '#shared/platform/http/records.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';

/** The credential of a request, as its holder sees it: what it is, where it works, and what it opens. */
export const CurrentCredential = objectNamed('CurrentCredential', {
  id: Id.meta({ description: 'of the person, account, key or machine' }),
  name: z.string(),
  kind: z.enum(['user', 'service_account', 'api_key', 'machine']),
  organization: z.object({ id: Id, name: z.string() }),
  role: z.string().optional().meta({ description: 'of a person or a service account: the id of the role' }),
  scopes: ApiKey.shape.scopes.optional().meta({ description: 'of a key, or of a token of a CI job' }),
  boundTo: z
    .object({ repositories: z.array(z.string()), refs: z.array(z.string()).optional() })
    .optional()
    .meta({ description: 'the only repositories and branches about which the key or token reports' }),
  machine: z.enum(MACHINE_KINDS).optional(),
});

/** Describes the caller to itself, without a secret. */
export async function currentCredential(table: Table, caller: Caller): Promise<z.infer<typeof CurrentCredential>> {
  const organization = await inOrganization(table, GLOBAL_SCOPE).find(organizations, caller.organizationId);
  const { id, name, kind } = caller;
  return {
    id,
    name,
    kind,
    organization: { id: caller.organizationId, name: organization?.name ?? '' },
    ...rights(caller),
  };
}

function rights(caller: Caller) {
  if (caller.kind === 'machine') return { machine: caller.machine };
  if (caller.kind !== 'api_key') return { role: caller.role };
  const { scopes, bound } = caller;
  return {
    scopes: [...scopes],
    ...(bound && { boundTo: { repositories: bound.repositories, ...(bound.refs && { refs: bound.refs }) } }),
  };
}
