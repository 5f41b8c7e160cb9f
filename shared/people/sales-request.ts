import * as z from 'zod';
import { Person } from '#shared/credentials/person.ts';
import { objectNamed, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { ConsentVersion } from './sign-up.ts';
import { EmailAddress, User } from './user.ts';

export const SALES_STATUSES = ['new', 'contacted', 'closed'] as const;

/** Days after which a request is deleted, because nobody needs its personal data any more. */
export const SALES_DAYS = 365;

/** The fields that the sender of a sales request fills in. */
export const salesFields = {
  email: EmailAddress,
  name: User.shape.name,
  company: trimmedText(120).nullable().default(null).meta({ example: 'Example Ltd.' }),
  message: trimmedText(2000).meta({ example: 'We look for a service for 4,000 hosts.' }),
  consentVersion: ConsentVersion,
};

/** A person who wants to hear from the provider. The record is in the global partition. */
export const SalesRequest = objectNamed('SalesRequest', {
  ...recordFields,
  email: readOnly(salesFields.email),
  name: readOnly(salesFields.name),
  company: readOnly(salesFields.company),
  message: readOnly(salesFields.message),
  consentVersion: readOnly(salesFields.consentVersion),
  status: z.enum(SALES_STATUSES),
  handledBy: readOnly(Person.nullable().meta({ description: 'who set the status last' })),
  deletionAt: readOnly(Timestamp.meta({ description: `when the record is deleted: ${SALES_DAYS} days after it came` })),
});
export type SalesRequest = z.infer<typeof SalesRequest>;

export const salesRequests = defineEntity<SalesRequest>(SalesRequest, {
  name: 'sales-request',
  indexed: ({ status }) => ({ status }),
  search: ({ email, name, company }) => [email, company, name],
});
