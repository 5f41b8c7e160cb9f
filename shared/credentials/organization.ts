import * as z from 'zod';
import { Id, objectNamed, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import type { StateMachine } from '#shared/platform/runtime/state-machine.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

const DELETION_STATUSES = ['requested', 'approved', 'cancelled', 'deleting'] as const;
type DeletionStatus = (typeof DELETION_STATUSES)[number];

/** `approved`: the days of grace run. `deleting`: they are over, and a task removes everything. */
export const organizationDeletionStates: StateMachine<DeletionStatus, 'request' | 'approve' | 'cancel' | 'begin'> = {
  requested: { approve: 'approved', cancel: 'cancelled' },
  approved: { cancel: 'cancelled', begin: 'deleting' },
  cancelled: { request: 'requested' },
  deleting: {},
};

const Person = z.object({ id: z.string(), name: z.string() });

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

/** A customer of the deployment. This record is in the global partition, all others in the organization's own. */
const Organization = z
  .object({
    ...recordFields,
    name: z.string().min(1).max(120),
    trialEndsAt: Timestamp.nullable().optional(),
    /** The text about personal data to which the owner consented who signed up. */
    consent: z.object({ version: z.string(), at: Timestamp }).optional(),
    deletion: StoredDeletion.optional(),
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

export const organizations = defineEntity(Organization, { name: 'organization', search: ({ name }) => [name] });
