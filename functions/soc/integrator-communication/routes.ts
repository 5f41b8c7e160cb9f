import * as z from 'zod';
import { MAX_REPORT_BYTES } from '#shared/platform/http/body-size.ts';
import { Id, objectNamed, Timestamp, text, trimmedText } from '#shared/platform/http/records.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';
import { InventoryItem } from '#shared/reports/readers/inventory-item.ts';
import { CompletedTasksAnswer, pollAnswer } from '#shared/scanning/leases/answers.ts';
import { IntegratorDataSource } from '#shared/soc/incidents/integrator.ts';
import { ResponseAction } from '#shared/soc/incidents/response-action.ts';
import { answerOf } from './batch.ts';

/** Most assets of a batch. */
const MAX_ITEMS = 5_000;
const MAX_ALERTS = 500;

const source = trimmedText(60);

/** A batch of an inventory. Each asset is checked separately. */
const InventoryBatch = objectNamed('InventoryBatch', {
  batchId: text(120).meta({ description: 'an id of your choice; a batch that is sent again counts once' }),
  source: source.meta({ description: 'the system that keeps the inventory, the same each time', example: 'cmdb' }),
  mode: z.enum(['full', 'partial']).default('partial').meta({
    description: '`full`: the source has these assets and, with `since`, those that it sent since then, and no others',
  }),
  since: Timestamp.optional().meta({
    description: 'on the last of several batches of a full inventory: `acceptedAt` of the answer to the first',
  }),
  assets: z.array(z.unknown()).min(1).max(MAX_ITEMS),
});

const InventoryBatchAnswer = objectNamed('InventoryBatchAnswer', {
  taskId: Id.nullable().meta({ description: 'the task that reads the batch; null: no asset was accepted' }),
  acceptedAt: Timestamp,
  results: z.array(answerOf({})),
});
export type InventoryBatchAnswer = z.infer<typeof InventoryBatchAnswer>;
export type InventoryBatch = z.infer<typeof InventoryBatch>;

/** A batch of alerts. Each alert is checked separately. */
const AlertBatch = z
  .object({ alerts: z.array(z.unknown()).min(1).max(MAX_ALERTS).meta({ description: '`IntegratorAlert` each' }) })
  .meta({ id: 'AlertBatch' });

const AlertBatchAnswer = objectNamed('AlertBatchAnswer', {
  results: z.array(
    answerOf({
      externalId: z.string(),
      alertId: Id.optional(),
      outcome: z.enum(['created', 'counted', 'repeated']).optional().meta({
        description: '`counted`: on an alert that is open; `repeated`: it was sent before and changed nothing',
      }),
      unknownTechniques: z.array(z.string()).optional(),
    }),
  ),
});
export type AlertBatchAnswer = z.infer<typeof AlertBatchAnswer>;

const MAX_BREACHES = 200;

/** A batch of records of breaches. Each record is checked separately. */
const BreachBatch = objectNamed('BreachBatch', {
  breaches: z.array(z.unknown()).min(1).max(MAX_BREACHES).meta({ description: '`IntegratorBreach` each' }),
});

/** `recordId`: the record of the service for the item. */
const kept = z.array(
  answerOf({
    externalId: z.string(),
    recordId: Id.optional(),
    outcome: z.enum(['created', 'updated', 'unchanged']).optional(),
  }),
);

const BreachBatchAnswer = z.object({ results: kept }).meta({ id: 'BreachBatchAnswer' });
export type BreachBatchAnswer = z.infer<typeof BreachBatchAnswer>;

const MAX_IDENTITIES = 200;

/** A batch of identities. Each identity is checked separately. */
const IdentityBatch = objectNamed('IdentityBatch', {
  identities: z.array(z.unknown()).min(1).max(MAX_IDENTITIES).meta({ description: '`IntegratorIdentity` each' }),
});

const IdentityBatchAnswer = z.object({ results: kept }).meta({ id: 'IdentityBatchAnswer' });
export type IdentityBatchAnswer = z.infer<typeof IdentityBatchAnswer>;

const { id, type, target, parameters, reason, incidentId } = ResponseAction.shape;
const LeasedAction = z.object({
  id,
  type,
  target,
  parameters,
  reason,
  incidentId,
  attempt: z.int().positive(),
  leaseSeconds: z.int().positive(),
  leaseExpiresAt: Timestamp,
  deadlineAt: Timestamp,
});

const NewActionsAnswer = z
  .object({ tasks: z.array(LeasedAction), ...pollAnswer })
  .meta({ id: 'IntegratorNewTasksAnswer' });

export const integratorCommunicationRoutes = defineRoutes({
  leaseResponseActions: post('/api/v1/integrator_communication/new_tasks', {
    summary: 'Poll: renew the leases of running response actions and lease approved response actions',
    description:
      '`capacity` (required) is the number of further actions that the integrator takes now; `capabilities` are the types of ' +
      'action that it offers. `running` renews the leases of the named actions. An action is leased only once: if its lease ends, ' +
      'the action has failed, because it may have been carried out. Poll again after `pollAfterSeconds`.',
    access: { machines: ['integrator'], draining: true },
    body: IntegratorDataSource,
    needs: ['capacity'],
    example: { capacity: 1, capabilities: [{ action: 'isolate_host', targetTypes: ['host'] }] },
    lenient: true,
    poll: true,
    response: NewActionsAnswer,
  }),
  completeResponseActions: post('/api/v1/integrator_communication/completed_tasks', {
    summary: 'Report the results of response actions',
    description:
      'Each of `results` (required; `ResponseOutcome`: `taskId`, `outcome: completed|failed|cancelled`, `summary`, `output`, ' +
      '`error`) has its own answer. Sending a result again is harmless and gets the same answer. An action that the integrator ' +
      'does not hold, or no longer holds, is refused with `not_held`.',
    access: { machines: ['integrator'], draining: true },
    maxBody: MAX_REPORT_BYTES,
    body: IntegratorDataSource,
    needs: ['results'],
    example: {
      results: [{ taskId: '01900000-0000-7000-8000-000000000000', outcome: 'completed', summary: 'isolated' }],
    },
    lenient: true,
    response: CompletedTasksAnswer.meta({ id: 'IntegratorCompletedTasksAnswer' }),
  }),
  sendAlerts: post('/api/v1/integrator_communication/alerts', {
    summary: 'Send alerts of the products that the integrator watches',
    description:
      'Each of `alerts` (`IntegratorAlert`, docs/soc.md) has its own answer: a refused alert does not affect the other alerts. If ' +
      'the answer was lost, send the request again: alerts that already count are answered as `repeated`. The alerts exist when ' +
      'the answer arrives.',
    access: { machines: ['integrator'] },
    maxBody: MAX_REPORT_BYTES,
    body: AlertBatch,
    example: {
      alerts: [{ externalId: 'edr-4711', title: 'Credential dumping', severity: 'high', source: 'edr' }],
    },
    lenient: true,
    response: AlertBatchAnswer,
  }),
  sendBreaches: post('/api/v1/integrator_communication/breaches', {
    summary: 'Send secrets from breaches',
    description:
      'Each of `breaches` (`IntegratorBreach`: `externalId` and `breach` required; `account`, `secret`, `kind`, `verified`, `url`, ' +
      '`leakedAt`) has its own answer: a refused record does not affect the other records. The service replaces the text of a ' +
      'secret by a keyed hash before it stores anything. A record that is sent again replaces its earlier version; if a batch has ' +
      'several records with the same id, the last record counts. Exposed credentials follow within a minute ' +
      '(docs/exposed-credentials.md).',
    access: { machines: ['integrator'] },
    maxBody: MAX_REPORT_BYTES,
    body: BreachBatch,
    example: { breaches: [{ externalId: 'forum-17', breach: 'Forum 2026', account: 'ada@example.com' }] },
    lenient: true,
    response: BreachBatchAnswer,
  }),
  sendIdentities: post('/api/v1/integrator_communication/identities', {
    summary: 'Send the accounts of people and services of a directory',
    description:
      'Each of `identities` (`IntegratorIdentity`: `externalId`, `source` and `names` required; `kind`, `displayName`, `status`, ' +
      '`isPrivileged`, `hasMfa`, `passwordChangedAt`, `lastSignInAt`) has its own answer: a refused identity does not affect the ' +
      'other identities. An identity that is sent again replaces its earlier version, including absent fields; if a batch has ' +
      'several identities with the same id, the last identity counts. Send an identity that the directory removed with the status ' +
      '`deleted`. Alerts and exposed credentials are matched by the `names` of the identity (docs/soc.md).',
    access: { machines: ['integrator'] },
    maxBody: MAX_REPORT_BYTES,
    body: IdentityBatch,
    example: { identities: [{ externalId: 'S-1-5-21-1-2-3-1104', source: 'active-directory', names: ['ada'] }] },
    lenient: true,
    response: IdentityBatchAnswer,
  }),
  sendInventory: post('/api/v1/integrator_communication/inventory', {
    summary: 'Send the assets of a fleet or a cloud, with their services and software',
    description:
      'Each of `assets` (`InventoryItem`, docs/inventory.md) has its own answer: a refused asset does not affect the other assets. ' +
      'The values of an asset replace the earlier values from the same source; absent fields stay. After a full inventory, assets ' +
      'that the inventory does not name lose the services and software of this source, and are stale after 30 days unless another ' +
      'source sees them. A full inventory with a refused asset removes nothing. Each batch is a task; tasks run in the order of ' +
      'the batches.',
    access: { machines: ['integrator'] },
    maxBody: MAX_REPORT_BYTES,
    body: InventoryBatch,
    example: {
      batchId: 'b-1',
      source: 'cmdb',
      assets: [InventoryItem.parse({ type: 'host', value: 'web-01.example.com' })],
    },
    lenient: true,
    response: InventoryBatchAnswer,
  }),
});
