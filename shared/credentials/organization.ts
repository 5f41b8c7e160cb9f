import * as z from 'zod';
import { ORGANIZATION } from '#shared/platform/auth/suspension.ts';
import { Id, objectNamed, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import type { StateMachine } from '#shared/platform/runtime/state-machine.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { Person } from './person.ts';

const DELETION_STATUSES = ['requested', 'approved', 'cancelled', 'deleting'] as const;
type DeletionStatus = (typeof DELETION_STATUSES)[number];

/** `approved`: the days of grace run. `deleting`: they are over, and a task removes everything. */
export const organizationDeletionStates: StateMachine<DeletionStatus, 'request' | 'approve' | 'cancel' | 'begin'> = {
  requested: { approve: 'approved', cancel: 'cancelled' },
  approved: { cancel: 'cancelled', begin: 'deleting' },
  cancelled: { request: 'requested' },
  deleting: {},
};

/** A deletion that somebody asked for, in the view of the provider and of the organization. */
export const OrganizationDeletion = objectNamed('OrganizationDeletion', {
  organizationId: Id,
  version: z.int().positive(),
  status: z.enum(DELETION_STATUSES),
  requestedBy: Person,
  requestedAt: Timestamp,
  approvedBy: Person.nullable(),
  approvedAt: Timestamp.nullable(),
  deletionAt: Timestamp.nullable().meta({
    description: 'when the deletion begins; until then either side can cancel it; null while nobody has approved it',
  }),
  cancelledBy: Person.nullable(),
  cancelledAt: Timestamp.nullable(),
  taskId: Id.nullable().meta({ description: 'the task that deletes; it belongs to the account that asked' }),
});
export type OrganizationDeletion = z.infer<typeof OrganizationDeletion>;

/** `holders`: the accounts whose holder may know the requesting account's secret. */
const StoredDeletion = OrganizationDeletion.extend({
  requester: z.object({ organizationId: Id, holders: z.array(z.string()) }),
});
export type StoredDeletion = z.infer<typeof StoredDeletion>;

export const ORGANIZATION_STATUSES = ['trial', 'active', 'suspended', 'deleting'] as const;
export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number];

const Slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/, 'must be 1 to 60 small letters, digits and hyphens')
  .meta({
    description: 'the short name of the organization in addresses; no other organization has it',
    example: 'acme',
  });

export const Suspension = objectNamed('OrganizationSuspension', {
  at: Timestamp,
  by: Person,
  reason: trimmedText(300).meta({ example: 'The contract ended on 30 June.' }),
});

/** A record that a template made. */
const Made = z.array(z.object({ id: Id, name: z.string() }));

/** The settings and rules with which an organization began. */
export const AppliedTemplate = objectNamed('AppliedTemplate', {
  templateId: Id,
  name: z.string(),
  version: z.int().positive().meta({ description: 'of the template when it was applied' }),
  settings: z.array(z.string()).meta({ description: 'the names of the settings that the template set' }),
  slaPolicies: z.boolean().meta({ description: 'whether the template set the SLA policies' }),
  suppressionRules: Made,
  assetTagRules: Made,
  savedFilters: Made,
});
export type AppliedTemplate = z.infer<typeof AppliedTemplate>;

/** The fields of a customer, beside the name, that the provider's staff set or see in the stored record. */
export const organizationFields = {
  slug: Slug.nullable().default(null),
  plan: trimmedText(60).nullable().default(null).meta({ description: 'the name of the contract, for people' }),
  trialEndsAt: Timestamp.nullable().default(null).meta({
    description: 'the end of a trial; while it is set, the status is `trial`. Nothing happens at this time by itself',
  }),
  suspension: readOnly(Suspension.nullable().meta({ description: 'null: not suspended' })),
  template: readOnly(
    AppliedTemplate.nullable().meta({ description: 'the template with which the organization began' }),
  ),
};

/** A customer of the deployment. This record is in the global partition, all others in the organization's own. */
const StoredOrganization = z.object({
  ...recordFields,
  name: trimmedText(120),
  // records of earlier releases, and those of npm run bootstrap, have a name only
  ...z.object(organizationFields).partial().shape,
  /** The text about personal data to which the owner consented who signed up. */
  consent: z.object({ version: z.string(), at: Timestamp }).optional(),
  deletion: StoredDeletion.optional(),
});
export type StoredOrganization = z.infer<typeof StoredOrganization>;

type Standing = Pick<StoredOrganization, 'deletion' | 'suspension' | 'trialEndsAt'>;

export function organizationStatus({ deletion, suspension, trialEndsAt }: Standing): OrganizationStatus {
  if (deletion?.status === 'approved' || deletion?.status === 'deleting') return 'deleting';
  if (suspension) return 'suspended';
  return trialEndsAt ? 'trial' : 'active';
}

/** An active organization has no mark, as those of earlier releases have none: a list of active ones leaves out the others. */
export const organizations = defineEntity<StoredOrganization>(StoredOrganization, {
  ...ORGANIZATION,
  search: ({ name, slug }) => [name, slug],
  indexed: (organization) => {
    const status = organizationStatus(organization);
    return { status: status === 'active' ? undefined : status };
  },
  unique: ({ slug }) => ({ slug }),
});
