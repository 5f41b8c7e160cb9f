import { Base, type Role, type StoredRole } from '#shared/credentials/role.ts';
import type { Role as BuiltInRole } from '#shared/platform/auth/permissions.ts';
import type { Holders } from './holders.ts';
import { operationsOf } from './operations.ts';

const BUILT_IN: Record<BuiltInRole, Pick<Role, 'name' | 'description'>> = {
  viewer: {
    name: 'Viewer',
    description: 'Reads, requests engagements, works on findings that are assigned to the viewer, and saves filters.',
  },
  auditor: {
    name: 'Auditor',
    description: 'Reads everything that an administrator reads, also the audit log, and changes nothing.',
  },
  analyst: { name: 'Analyst', description: 'Triages, scans and decides on findings, and approves.' },
  admin: { name: 'Administrator', description: 'Also manages scanners, accounts, keys, roles and settings.' },
  owner: { name: 'Owner', description: 'An administrator who also makes and revokes owners.' },
  pentester: { name: 'Pentester', description: 'Staff of the provider: works on engagements that clients assign.' },
  manager: {
    name: 'Manager',
    description: 'Staff of the provider: also runs shared scanners and appliances, and makes accounts of staff.',
  },
  platform_owner: {
    name: 'Platform owner',
    description: 'Staff of the provider: also sets limits, and copies, restores and deletes organizations.',
  },
};

export const builtInRole = (id: BuiltInRole, holders: Holders): Role => ({
  id,
  version: 1,
  ...BUILT_IN[id],
  basedOn: Base.safeParse(id).data ?? null,
  areas: {},
  builtIn: true,
  operations: operationsOf({ role: id }),
  holders: holders.get(id) ?? 0,
  createdAt: null,
  updatedAt: null,
  createdBy: null,
});

export const customRole = (role: StoredRole, holders: Holders): Role => ({
  ...role,
  builtIn: false,
  operations: operationsOf({ role: role.id, grants: role }),
  holders: holders.get(role.id) ?? 0,
});
