import * as z from 'zod';
import { EVENT_TYPES, WantedType } from '#shared/events/catalogue.ts';
import { Event } from '#shared/events/event.ts';
import { orStaff, reads } from '#shared/platform/auth/access.ts';
import { anyOf, numberIn, wholeNumber } from '#shared/platform/http/pagination.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';

const number = z.int().nonnegative();
const access = orStaff('pentester', reads('findings:read'));

const EventsQuery = z.object({
  since: z
    .preprocess((text) => wholeNumber(text as string), z.union([number, z.literal('latest')]))
    .default(0)
    .meta({
      description:
        '`next` of the previous answer; 0 begins with the oldest kept event; `latest` answers no event, and `next` for the events ' +
        'from now on',
    }),
  limit: numberIn(z.int().min(1).max(500))
    .default(100)
    .meta({ description: 'maximum number of changes whose events are in the answer' }),
  types: anyOf(WantedType, EVENT_TYPES.length)
    .optional()
    .meta({ description: 'only events of these types, such as `finding.created` or `finding.*`' }),
});

const EventTypeView = objectNamed('EventType', {
  type: z.string().meta({ example: 'finding.created' }),
  entity: z.string().meta({ example: 'finding' }),
  about: z.string().meta({ example: 'a record (finding) was made' }),
});

export const eventRoutes = defineRoutes({
  listEvents: get('/api/v1/events', {
    summary: 'Read the events since a number, in order',
    description:
      'Events are the changes of the organization as CloudEvents 1.0, with a type for what happened. Begin with `since=latest` or ' +
      '`since=0`, then send the `next` of each answer: you get each event once, and the events of a record in the order of its ' +
      'versions. You see the events of records that you may read. Events are kept for 400 days. The same events go to webhook ' +
      'endpoints (`createWebhookEndpoint`).',
    access,
    query: EventsQuery,
    response: z
      .object({
        data: z.array(Event),
        next: number.meta({ description: 'send it as `since` to get the next events' }),
        more: z.boolean().meta({ description: 'false: you have read all events' }),
      })
      .meta({ id: 'EventsAnswer' }),
  }),
  listEventTypes: get('/api/v1/events/types', {
    summary: 'List the types of events',
    description: 'Each type names the entity of its records, and what happened to the record.',
    access,
    response: z.object({ data: z.array(EventTypeView) }).meta({ id: 'EventTypesAnswer' }),
  }),
});
