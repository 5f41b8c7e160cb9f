import * as z from 'zod';
import { decodeId } from '#shared/platform/auth/token-format.ts';
import { MAX_REPORT_BYTES } from '#shared/platform/http/body-size.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';

const WebhookAnswer = objectNamed('WebhookAnswer', {
  accepted: z.literal(true),
  deliveryId: z.string().meta({ description: 'as the sender names it' }),
  duplicate: z.boolean().meta({ description: 'it was taken before, and is worked once' }),
});

/** The organization and the id of an integration or a connection in the address of its webhook. */
const Named = z
  .string()
  .max(100)
  .transform((text, context) => {
    const place = decodeId(text);
    if (!place) context.addIssue({ code: 'custom', message: 'must be as the answered `webhookUrl` has it' });
    return place ?? z.NEVER;
  });

const description =
  'The service stores the event as received and processes it behind a queue: see `GET /api/v1/integrations/{id}/deliveries`. ' +
  'Without the parameter `integration` the event belongs to the integration of its account whose secret signed it. A repeated ' +
  'delivery is processed once. A known body under another id is answered with 401 and not stored, and so is an event whose ' +
  'signature is wrong, missing or too old.';

const webhook = <const P extends string, const I extends string>(
  path: P,
  { id, sender, ...texts }: { id: I; operation: string; summary: string; description: string; sender: string },
) =>
  post(path, {
    ...texts,
    access: 'public',
    body: z
      .record(z.string(), z.unknown())
      .meta({ id, description: `an event, as ${sender} sends it`, example: { zen: 'Keep it simple.' } }),
    maxBody: MAX_REPORT_BYTES,
    signed: true,
    response: WebhookAnswer,
  });

const ofCodeHost = { description, sender: 'the code host' };
const query = z.object({ integration: Named.optional() });

export const webhookRoutes = defineRoutes({
  receiveCodehostA: {
    ...webhook('/api/v1/webhooks/codehost_a', {
      id: 'CodehostAEvent',
      operation: 'payload record for first code host',
      summary: 'Receive an event from GitHub',
      ...ofCodeHost,
    }),
    query,
  },
  receiveCodehostB: {
    ...webhook('/api/v1/webhooks/codehost_b', {
      id: 'CodehostBEvent',
      operation: 'payload record for second code host',
      summary: 'Receive an event from GitLab',
      ...ofCodeHost,
    }),
    query,
  },
  receiveTicketEvent: {
    ...webhook('/api/v1/webhooks/ticketing', {
      id: 'TicketingEvent',
      operation: 'none listed',
      summary: 'Receive an event from Jira',
      description:
        'The service stores the event as received and processes it behind a queue: see `GET ' +
        '/api/v1/ticketing/connections/{id}/deliveries`. A repeated delivery is processed once. An event with a wrong or missing ' +
        'signature (`X-Hub-Signature`) is answered with 401 and not stored.',
      sender: 'Jira',
    }),
    query: z.object({ connection: Named.optional() }),
  },
  receiveBillingEvent: webhook('/api/v1/webhooks/billingprocessor', {
    id: 'BillingEvent',
    operation: 'none listed',
    summary: 'Receive an event from Stripe',
    description:
      'The deployment has one account at the payment processor, and its webhook secret is configuration (docs/billing.md). The ' +
      'service stores the event as received and processes it behind a queue. An event that is repeated with a new signature is ' +
      'processed once. An event is answered with 401 and not stored if its signature is wrong, missing, older than five minutes or ' +
      'already used.',
    sender: 'the payment processor',
  }),
});
