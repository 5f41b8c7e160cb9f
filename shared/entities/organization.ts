import * as z from 'zod';
import { recordFields } from '../http/records.ts';
import { defineEntity } from '../table/entity.ts';

/** A customer of the deployment. This record lies in the global partition, all others in the organization's own. */
const Organization = z.object({ ...recordFields, name: z.string().min(1).max(120) }).meta({ id: 'Organization' });

export const organizations = defineEntity(Organization, { name: 'organization', search: ({ name }) => [name] });
