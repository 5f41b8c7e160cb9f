import * as z from 'zod';
import { objectNamed, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** The members of a group are in one row. */
export const MAX_MEMBERS = 5_000;

/** A set of users that the directory of the organization names. It gives no role; teams may follow its members. */
const ScimGroup = objectNamed('StoredScimGroup', {
  ...recordFields,
  displayName: z.string(),
  externalId: z.string().nullable(),
  /** The ids of users. */
  members: z.array(z.string()),
});
export type ScimGroup = z.infer<typeof ScimGroup>;

export const scimGroups = defineEntity(ScimGroup, {
  name: 'scim-group',
  feedFields: ['displayName'],
  unique: ({ displayName, externalId }) => ({ displayName: displayName.toLowerCase(), externalId }),
});
