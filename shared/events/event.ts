import * as z from 'zod';
import type { Announced } from '#shared/platform/feed/log.ts';
import { Actor, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { isWanted, typesOfChange } from './catalogue.ts';
import { REPORT_READY } from './named.ts';

/** An event in the form of CloudEvents 1.0 (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md), structured mode. */
export const Event = objectNamed('Event', {
  specversion: z.literal('1.0'),
  id: z.string().meta({ description: 'of the event: a repetition has the same' }),
  source: z
    .string()
    .meta({ description: 'the organization', example: '/organizations/01960000-0000-7000-8000-000000000000' }),
  type: z.string().meta({ example: 'finding.created' }),
  subject: z.string().meta({ description: 'the record', example: 'finding/01960000-0000-7000-8000-000000000001' }),
  time: Timestamp,
  datacontenttype: z.literal('application/json'),
  sequence: z
    .string()
    .regex(/^\d{1,15}$/)
    .meta({
      description:
        'the number of the change in the organization. It rises; one change may be several events. Numbers without an event of your ' +
        'types are no gap: `GET /api/v1/events` without types has all',
      example: '4711',
    }),
  data: objectNamed('EventData', {
    entity: z.string().meta({ example: 'finding' }),
    id: z.string(),
    version: z.int().positive().meta({ description: 'of the record after the change' }),
    actor: Actor,
    operation: z
      .string()
      .meta({ description: 'the operation, the task or the timer that made the change', example: 'updateFinding' }),
    fields: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }).partial()).meta({
      description: 'the fields that changed, with their values before and after',
      example: { status: { from: 'open', to: 'fixed' } },
    }),
    masked: z.array(z.string()).meta({ description: 'fields that changed too: secrets, long or technical values' }),
  }),
});
export type Event = z.infer<typeof Event>;

/** The events that a change of the log is, in a fixed order. */
export function eventsOf(organizationId: string, { number, entry, change }: Announced): Event[] {
  if (!change) return [];
  const { entity, id, version, fields, masked } = change;
  return typesOfChange(change, entry.cause).map((type) => ({
    specversion: '1.0',
    id: eventId(number, type),
    source: `/organizations/${organizationId}`,
    type,
    subject: `${entity}/${id}`,
    time: entry.at,
    datacontenttype: 'application/json',
    sequence: String(number),
    data: { entity, id, version, actor: entry.by, operation: entry.cause.operation, fields, masked },
  }));
}

/** Whether a reader of the log gets an event: it wants the type, or a report that is ready names it. */
export const isFor = ({ id, types }: { id: string; types: readonly string[] }, { type, data }: Event): boolean =>
  isWanted(types, type) || (type === REPORT_READY && [data.fields.endpointIds?.to ?? []].flat().includes(id));

/** Sorts by the number of the change: a number has at most 12 digits in the log. */
const eventId = (number: number, type: string): string => `${String(number).padStart(12, '0')}-${type}`;

/** The event with which somebody tries an endpoint. */
export const testEvent = (organizationId: string, endpointId: string) => ({
  specversion: '1.0' as const,
  id: newId(),
  source: `/organizations/${organizationId}`,
  type: 'webhook.test',
  subject: `webhook-endpoint/${endpointId}`,
  time: now(),
  datacontenttype: 'application/json' as const,
  data: {},
});
