import * as z from 'zod';
import { admin, orStaff, reads } from '#shared/platform/auth/access.ts';
import { FEED_ENTITIES } from '#shared/platform/feed/visible.ts';
import { filterParameters } from '#shared/platform/filter/read.ts';
import { anyOf, numberIn, wholeNumber } from '#shared/platform/http/pagination.ts';
import { Actor, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { WITH_RECORDS } from './with-records.ts';

const number = z.int().nonnegative();

const made = {
  number: number.meta({ description: 'rises with each change of the organization' }),
  at: Timestamp,
  actor: Actor,
  operation: z.string().meta({
    description: 'the operation, the task or the timer that made the change',
    example: 'updateFinding',
  }),
  requestId: z.string().nullable(),
  taskId: z.string().nullable(),
  transactionId: z.string().meta({ description: 'changes with the same id were made together' }),
};

const fields = z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }).partial()).meta({
  example: { status: { from: 'open', to: 'fixed' } },
});
const masked = z.array(z.string()).meta({ description: 'fields that changed too: secrets, long or technical values' });

const Change = objectNamed('Change', {
  ...made,
  kind: z.enum(['created', 'updated', 'deleted']),
  entity: z.string().meta({ example: 'finding' }),
  id: z.string(),
  version: z.int().positive().meta({
    description: 'of the record after the change. The versions of a record follow each other without a gap',
  }),
  fields,
  masked,
  record: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({
      description:
        'with `include=record`: the current record as its list shows it, which may be newer than the change; null: the record no ' +
        'longer exists',
    }),
});

const AuditEntry = objectNamed('AuditEntry', {
  ...made,
  ip: z.string().nullable().meta({ description: 'the address from which the request came' }),
  kind: z.enum(['created', 'updated', 'deleted', 'noted', 'signed_in', 'refused']),
  record: z.object({ entity: z.string(), id: z.string(), version: z.int() }).nullable(),
  fields,
  masked,
  reason: z.string().nullable().meta({ description: 'why a request was refused, or what was unusual about a sign-in' }),
});

const AuditPage = z
  .object({
    data: z.array(AuditEntry),
    next: number.nullable().meta({ description: 'send it as `before` to get the next page; null: there are no more' }),
    listedSince: Timestamp.meta({
      description: 'older entries are not listed: they are in the bucket of the service, and the check covers them',
    }),
  })
  .meta({ id: 'AuditAnswer' });

const AuditQuery = z.object({
  ...filterParameters,
  from: Timestamp.optional(),
  to: Timestamp.optional(),
  actorId: z.string().min(1).max(120).optional(),
  entity: z.enum(FEED_ENTITIES).optional(),
  id: z.string().min(1).max(120).optional().meta({ description: 'the id of a record; send its `entity` too' }),
  before: numberIn(z.int().positive()).optional().meta({ description: '`next` of the previous answer' }),
  limit: numberIn(z.int().min(1).max(500))
    .default(100)
    .meta({ description: 'maximum number of entries in the answer' }),
});

const ChangesQuery = z.object({
  since: z
    .preprocess((text) => wholeNumber(text as string), z.union([number, z.literal('latest')]))
    .default(0)
    .meta({
      description:
        '`next` of the previous answer; 0 begins with the oldest kept change; `latest` answers no change, and `next` for the ' +
        'changes from now on',
    }),
  limit: numberIn(z.int().min(1).max(500))
    .default(100)
    .meta({ description: 'maximum number of changes in the answer' }),
  entity: anyOf(z.enum(FEED_ENTITIES)).optional().meta({ description: 'only changes of these kinds of records' }),
  include: z
    .literal('record')
    .optional()
    .meta({ description: `adds \`record\` to the changes of ${WITH_RECORDS.join(', ')}` }),
});

/** Why a role for a part of the organization does not open these operations. */
const closedToPart = 'it reports all records';

export const changeRoutes = defineRoutes({
  listChanges: get('/api/v1/changes', {
    summary: 'Read the changes since a number, in order',
    description:
      'Lists every change of findings, assets, engagements, machines, groups, credentials and settings, seconds after the change. ' +
      'Begin with `since=0`, then send the `next` of each answer: you get each change once, and the changes of a record in the ' +
      'order of its versions. An answer may hold fewer changes than `limit` and still have `more`. You see the changes of the ' +
      'records that you may read. Changes are kept for 400 days; an older number is refused. docs/mirror.md shows how to mirror ' +
      'records.',
    access: orStaff('pentester', reads('findings:read')),
    closedToPart,
    query: ChangesQuery,
    response: z
      .object({
        data: z.array(Change),
        next: number.meta({ description: 'send it as `since` to get the next changes' }),
        more: z.boolean().meta({ description: 'false: you have read all changes' }),
      })
      .meta({ id: 'ChangesAnswer' }),
  }),
  listAudit: get('/api/v1/audit', {
    summary: 'Read the audit log, newest first',
    description:
      'Lists every change with its actor and address, sign-ins, and requests that were refused for a wrong secret or a missing ' +
      'right (equal refusals once a minute). Narrow the list by time, actor, record or filter. An answer may hold fewer entries than ' +
      '`limit` and still have `next`. The list covers the last 400 days.',
    access: admin,
    closedToPart,
    query: AuditQuery,
    response: AuditPage,
  }),
  listOwnActivity: get('/api/v1/audit/mine', {
    summary: 'Read what you did, newest first',
    description:
      'Lists your own changes, sign-ins and refused requests, as the audit log has them. `fields` has the values of records that you ' +
      'may read; `masked` names all others. With a role for a part of the organization `fields` is empty, because a record may ' +
      'have left the part. The list covers the last 400 days.',
    access: { person: true },
    inPart: 'same',
    query: AuditQuery.pick({ from: true, to: true, before: true, limit: true }),
    response: AuditPage,
  }),
  verifyAudit: post('/api/v1/audit/verify', {
    summary: 'Check that nobody has altered the audit log',
    description:
      'Each part of the log has a hash over itself and the previous part. The task recomputes all hashes, including those older ' +
      'than 400 days. Its result is `{changes, hash, broken}`: `broken` is null, or the first number that does not fit. Keep ' +
      '`changes` and `hash`: a later log must begin with the same values.',
    access: admin,
    closedToPart,
    readOnly: true,
    response: QueuedResponse,
  }),
});
