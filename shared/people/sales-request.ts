import * as z from 'zod';
import { Person } from '#shared/credentials/person.ts';
import { objectNamed, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

export const SALES_STATUSES = ['new', 'contacted', 'closed'] as const;

/** Days after which a request is deleted, because nobody needs its personal data any more. */
export const SALES_DAYS = 365;

/** The most bytes of an address (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
const MAX_ADDRESS = 254;

/** An address as it is compared and stored. */
const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_ADDRESS)
  .check(z.email({ error: 'must be an address such as ada@example.com' }))
  .meta({ example: 'ada@example.com' });

const contactFields = {
  email: Email,
  name: trimmedText(120).meta({ example: 'Ada Lovelace' }),
  consentVersion: trimmedText(40).meta({
    description: 'the version of the text about personal data to which the sender consented',
    example: '2026-01',
  }),
};

/** The fields that the sender of a sales request fills in. */
export const salesFields = {
  email: contactFields.email,
  name: contactFields.name,
  company: trimmedText(120).nullable().default(null).meta({ example: 'Example Ltd.' }),
  message: trimmedText(2000).meta({ example: 'We look for a service for 4,000 hosts.' }),
  consentVersion: contactFields.consentVersion,
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
