import * as z from 'zod';
import { AREA_NAMES, LEVEL_NAMES, type RoleArea } from '#shared/platform/auth/levels.ts';
import type { Holder } from '#shared/platform/auth/permissions.ts';
import { withGrants } from '#shared/platform/auth/role-grants.ts';
import {
  Actor,
  live,
  objectNamed,
  readOnly,
  recordFields,
  Timestamp,
  trimmedText,
} from '#shared/platform/http/records.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { isId } from '#shared/platform/runtime/ids.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { existsCheck } from '#shared/platform/table/exists-check.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';

const BASES = ['viewer', 'auditor', 'analyst', 'admin'] as const;
/** The roles on which a custom role can be based: no custom role opens what only an owner may. */
export const Base = z.enum(BASES);

const AREAS: Record<RoleArea, string> = {
  assets: 'assets, zones, inventory, applications and their rules, repositories, agents that are installed',
  findings: 'findings, imports, exports, remediations, branches, suppression rules, times to fix, compliance',
  vulnerabilities: 'vulnerabilities',
  scanning: 'scanners, appliances, engagements, campaigns, tasks of machines, scan credentials',
  soc: 'alerts, incidents, identities, detection, response actions, SIEM sources, collectors, integrators',
  ticketing: 'connections to Jira, tickets and their rules',
  reports: 'reports, and dashboards of several areas',
  organization: 'settings, roles, accounts, keys, the audit log, billing, integrations with code hosts',
};

const LEVELS: Record<(typeof LEVEL_NAMES)[number], string> = {
  none: 'nothing',
  read: 'what a viewer may',
  audit: 'read what an administrator reads, and change nothing',
  write: 'what an analyst may, except approvals and accepted risks',
  approve: 'what an analyst may',
  manage: 'what an administrator may',
};

const listed = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([name, text]) => `\`${name}\`: ${text}`)
    .join('; ');

const settable = {
  name: trimmedText(60).meta({ example: 'Shop analyst' }),
  description: z.string().max(500).nullable().default(null),
  basedOn: Base.default('viewer').meta({ description: 'the built-in role that gives the level of all other areas' }),
  areas: z
    .partialRecord(z.enum(AREA_NAMES), z.enum(LEVEL_NAMES))
    .default({})
    .meta({
      description: `areas with another level than \`basedOn\` has. Areas: ${listed(AREAS)}. Levels: ${listed(LEVELS)}`,
      example: { findings: 'write', soc: 'none' },
    }),
};

/** A custom role as it is stored. */
const StoredRole = z.object({ ...recordFields, ...settable });
export type StoredRole = z.infer<typeof StoredRole>;

/** A built-in or custom role. */
export const Role = objectNamed('Role', {
  id: readOnly(z.string().meta({ description: 'of a built-in role its name, otherwise a UUIDv7', example: 'analyst' })),
  version: readOnly(z.int().positive()),
  ...settable,
  basedOn: Base.nullable().default('viewer').meta({
    description: 'the built-in role that gives the level of all other areas; null for `owner` and roles of staff',
  }),
  builtIn: readOnly(z.boolean()),
  operations: live(z.array(z.string()).meta({ description: 'the `operationId`s that the role opens' })),
  holders: live(z.int().nonnegative().meta({ description: 'accounts and people with the role' })),
  createdAt: readOnly(Timestamp.nullable()),
  updatedAt: readOnly(Timestamp.nullable()),
  createdBy: readOnly(Actor.nullable()),
});
export type Role = z.infer<typeof Role>;

export const roles = defineEntity(StoredRole, {
  name: 'role',
  inPart: 'whole',
  feedFields: ['name', 'description', 'basedOn', 'areas'],
  unique: ({ name }) => ({ name: name.toLowerCase() }),
});

/** The role that somebody holds, with its grants. */
export const heldRole = ({ dynamo, organizationId }: Table, { role }: Holder): Promise<Holder> =>
  withGrants(dynamo, organizationId, { role });

/** The same for somebody who is to hold it. @throws validation_failed for a role that does not exist */
export async function roleToGive(table: Table, role: string, path = 'role'): Promise<Holder> {
  if (!isId(role)) return { role };
  const grants = await table.find(roles, role, true);
  if (!grants) throw invalid(path, 'must be a built-in role, or the id of a role of your organization');
  return { role, grants };
}

/** For the transaction that gives a role to somebody: a custom role exists at that moment. */
export const roleChecks = (table: Table, role: string): Write[] =>
  isId(role) ? [existsCheck(table, roles, role)] : [];
