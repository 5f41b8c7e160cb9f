import { EVENT_TYPES } from '#shared/events/catalogue.ts';

/** The request of each type of event to a webhook endpoint, with its schema, in the form of OpenAPI 3.1 (`webhooks`). */
export const eventRequests = () =>
  Object.fromEntries(
    [...Map.groupBy(EVENT_TYPES, ({ type }) => type)].map(([type, ofType]) => [
      type,
      {
        post: {
          operationId: `event_${type.replace('.', '_')}`,
          summary: ofType[0]?.about ?? type,
          // its signature proves a request
          security: [],
          tags: ['webhook-endpoints'],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemaOf(
                  type,
                  ofType.map(({ entity }) => entity),
                ),
              },
            },
          },
          responses: { '2XX': { description: 'The endpoint has the event.' } },
        },
      },
    ]),
  );

/** The schema of all events, with what the type says. */
const schemaOf = (type: string, entities: readonly string[]) => ({
  allOf: [
    { $ref: '#/components/schemas/Event' },
    {
      type: 'object' as const,
      properties: {
        type: { type: 'string' as const, enum: [type] },
        data: { type: 'object' as const, properties: { entity: { type: 'string' as const, enum: [...entities] } } },
      },
    },
  ],
});
