import * as z from 'zod';
import { CommonPlace, commonMarks, IN_PART_OF_ALL } from '#shared/assets/asset/common-place.ts';
import { Person } from '#shared/credentials/person.ts';
import { JsonFields } from '#shared/platform/http/json-fields.ts';
import { Id, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import type { StateMachine } from '#shared/platform/runtime/state-machine.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { hourTally } from '#shared/reports/report/time-measures.ts';
import { ENTITY_TYPES } from '../alerts/alert.ts';

const RESPONSE_TYPES = ['isolate_host', 'disable_user', 'block_indicator', 'rotate_secret', 'custom'] as const;

const RESPONSE_TARGET_TYPES = [...ENTITY_TYPES, 'secret'] as const;

export const RESPONSE_STATUSES = ['awaiting_approval', 'approved', 'running', 'succeeded', 'failed', 'denied'] as const;
type ResponseStatus = (typeof RESPONSE_STATUSES)[number];

/** An action is handed out once: when its integrator falls silent, the action may have been done, and fails. */
export const responseStates: StateMachine<ResponseStatus, 'approve' | 'deny' | 'lease' | 'succeed' | 'fail'> = {
  awaiting_approval: { approve: 'approved', deny: 'denied' },
  approved: { lease: 'running', deny: 'denied', fail: 'failed' },
  running: { succeed: 'succeeded', fail: 'failed' },
  succeeded: {},
  failed: {},
  denied: {},
};

const Failure = z.object({ code: z.string(), message: z.string() });

const ResponseType = z.enum(RESPONSE_TYPES);
const ResponseTargetType = z.enum(RESPONSE_TARGET_TYPES);

/** A step against an attack that an integrator takes in a customer's system after a second person approved it. */
export const ResponseAction = objectNamed('ResponseAction', {
  ...recordFields,
  incidentId: readOnly(Id),
  type: ResponseType,
  target: z
    .object({ type: ResponseTargetType, value: z.string().trim().min(1).max(1024) })
    .meta({ example: { type: 'host', value: 'web-01.example.com' } }),
  parameters: JsonFields.default({}).meta({
    description: 'for the integrator, such as the name of a `custom` action',
  }),
  reason: z.string().trim().min(1).max(1000).nullable().default(null),
  integratorId: Id.nullable().default(null).meta({
    description:
      'the integrator for the action; absent: any integrator that offers it. After the lease: the integrator that carries it out.',
  }),
  timeoutSeconds: z
    .int()
    .min(60)
    .max(86_400)
    .default(3600)
    .meta({ description: 'seconds from the approval; an action that is not done by then fails' }),
  status: readOnly(z.enum(RESPONSE_STATUSES)),
  decidedBy: readOnly(Person.nullable().meta({ description: 'who approved or denied it' })),
  decidedAt: readOnly(Timestamp.nullable()),
  decisionReason: readOnly(z.string().nullable()),
  deadlineAt: readOnly(Timestamp.nullable()),
  startedAt: readOnly(Timestamp.nullable()),
  finishedAt: readOnly(Timestamp.nullable()),
  result: readOnly(z.object({ summary: z.string().nullable(), output: JsonFields.nullable() }).nullable()),
  error: readOnly(Failure.nullable()),
});

export type ResponseAction = z.infer<typeof ResponseAction>;

/**
 * `attempt` and `cancelRequestedAt` are the lease protocol's: an action has one attempt and is not cancelled once it runs.
 * `assetId`: the only asset that the target names, and `common`: where it is.
 */
export const StoredResponseAction = ResponseAction.extend({
  attempt: z.int(),
  cancelRequestedAt: z.null(),
  assetId: Id.optional(),
  common: CommonPlace.optional(),
});
export type StoredResponseAction = z.infer<typeof StoredResponseAction>;

const endOf = ({ finishedAt, updatedAt }: StoredResponseAction): string => finishedAt ?? updatedAt;

export const responseActions = defineEntity(StoredResponseAction, {
  name: 'response-action',
  together: true,
  dimensions: { status: RESPONSE_STATUSES },
  parents: { incident: { of: ({ incidentId }) => incidentId, dimensions: { status: RESPONSE_STATUSES } } },
  facets: ({ status }) => count({ status }),
  tallies: (action) => (action.status === 'failed' ? [hourTally('failed', endOf(action))] : []),
  /** Who sees the target sees the action, and nobody acts on another target. */
  inPart: IN_PART_OF_ALL,
  indexed: ({ assetId, common }) => ({ ...commonMarks(common), asset: assetId }),
  /** Only parts count by it. */
  ordered: (action) => ({ failed: action.status === 'failed' && action.common ? endOf(action).slice(0, 13) : null }),
  feedFields: ['incidentId', 'type', 'target', 'status', 'integratorId', 'decidedBy'],
});
