import * as z from 'zod';
import { failingDay } from '#shared/code/integrations/integration.ts';
import { FilterIdField, markedFilter } from '#shared/platform/filter/rule-filter.ts';
import { FilterInput } from '#shared/platform/filter/schema.ts';
import { objectNamed, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { WantedType } from './catalogue.ts';
import { healthFields } from './health.ts';

/** The entities by whose filters events may be chosen. */
const MATCHED_ENTITIES = [
  'finding',
  'vulnerability',
  'asset',
  'alert',
  'incident',
  'exposed-credential',
  'repository',
  'engagement',
  'application',
] as const;

export const Url = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://hooks.example.com/exposure' })
  .max(1000)
  .refine((url) => URL.parse(url)?.username === '' && URL.parse(url)?.password === '', {
    error: 'must name no user and no password: a receiver proves a request by its signature',
  });

export const EventFilter = objectNamed('EventFilter', {
  entity: z.enum(MATCHED_ENTITIES).meta({ description: 'events of records of this entity', example: 'finding' }),
  filter: FilterInput.optional().meta({
    description: 'are sent only while the record meets this filter (docs/filters.md); `me` is nobody here',
  }),
  filterId: FilterIdField,
});

/** Where an organization has its events sent. */
export const WebhookEndpoint = z.object({
  ...recordFields,
  name: trimmedText(120).meta({ example: 'Chat of the security team' }),
  url: Url.meta({ description: 'takes a POST for each event', example: 'https://hooks.example.com/exposure' }),
  types: z
    .array(WantedType)
    .max(100)
    .default([])
    .meta({
      description: 'of events, or all of an entity: `finding.*`; empty: all. `GET /api/v1/events/types` lists them',
      example: ['finding.created', 'incident.*'],
    }),
  matching: EventFilter.nullable()
    .default(null)
    .meta({
      description:
        'leaves out events of records that do not meet a filter. Events of other entities are sent as `types` says',
      example: { entity: 'finding', filter: 'severity:critical,high' },
    }),
  enabled: z
    .boolean()
    .default(true)
    .meta({ description: 'false: events wait. They are sent when it is true again, up to 400 days later' }),
  ...healthFields,
  secretUpdatedAt: readOnly(Timestamp.meta({ description: 'of the secret with which requests are signed' })),
  publicKey: readOnly(
    z.string().nullable().default(null).meta({
      description:
        'verifies the signature `v1a` (Ed25519) of each request; null: an endpoint of an earlier release has only `v1`',
    }),
  ),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const webhookEndpoints = defineEntity(WebhookEndpoint, {
  name: 'webhook-endpoint',
  together: true,
  indexed: ({ matching }) => markedFilter(matching ?? {}),
  // the address may be a secret: the feed says that it changed
  feedFields: ['name', 'types', 'matching', 'enabled', 'status', 'error', 'secretUpdatedAt'],
  facets: ({ status }) => ({ [`status:${status}`]: 1 }),
  ordered: ({ status, error }) => ({
    failing: failingDay({ status: status === 'disabled' ? 'disabled' : 'failed', error }),
  }),
});

/** An organization has so many at most: each change wakes all of them. */
export const MAX_ENDPOINTS = 20;
