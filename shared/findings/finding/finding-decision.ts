import * as z from 'zod';
import { Person } from '#shared/credentials/person.ts';
import { Id, readOnly, Timestamp } from '#shared/platform/http/records.ts';
import { pick } from '#shared/platform/table/field-table.ts';
import { dayOf } from '#shared/reports/report/time-measures.ts';
import { FINDING_STATUSES } from './finding-status.ts';

/** The fields of a finding that describe a decision. */
export const publicDecision = {
  acceptedUntil: Timestamp.nullable().meta({ description: 'of an accepted risk' }),
  restartSla: z.boolean().meta({ description: 'for an accepted risk: `dueAt` counts from the end of the acceptance' }),
  statusReason: z.string().max(300).nullable(),
  acceptance: readOnly(
    z
      .object({ reason: z.string().nullable(), approver: Person.nullable(), until: Timestamp.nullable() })
      .nullable()
      .meta({ description: 'of a finding that is `risk_accepted`; an acceptance of release 1.7 names no approver' }),
  ),
  suppressedBy: readOnly(
    Person.nullable().meta({
      description:
        'the suppression rule that gave the finding its status, or the VEX document, by the name of its author',
    }),
  ),
  follows: readOnly(
    z.array(Id).meta({ description: 'the vulnerabilities whose decision gave the finding its status; empty: none' }),
  ),
};

const Suppression = Person.extend({
  document: z.literal(true).optional(),
  until: Timestamp.optional(),
  was: z.enum(FINDING_STATUSES),
});

/** A decision on a status, as it is stored. */
const decision = {
  statusReason: z.string().optional(),
  acceptedUntil: Timestamp.optional(),
  /** The person who approved the acceptance of the risk. */
  acceptedBy: Person.optional(),
  /** When the acceptance ends, the due date counts from its end. */
  restartSla: z.literal(true).optional(),
  /** The rule or the VEX document that gave the finding its status, until when, and the status before. */
  suppressedBy: Suppression.optional(),
  /** When a person last decided on the status: earlier rules do not change the finding. */
  decidedAt: Timestamp.optional(),
};

/** The finding's own status, while a decision on its vulnerabilities gives it another status. */
const OwnDecision = z.object({ status: z.enum(FINDING_STATUSES), ...decision });
export type OwnDecision = z.infer<typeof OwnDecision>;

/** The same as they are stored. */
export const storedDecision = {
  ...decision,
  /** The end of an acceptance, from which the due date is computed. */
  slaFrom: Timestamp.optional(),
  /** The vulnerabilities whose decision set the status, and the finding's own status. */
  follows: z.object({ vulnerabilityIds: z.array(Id), was: OwnDecision }).optional(),
  /** The finding has the assignee of its vulnerabilities. The value is the status before. */
  assigneeFollows: z.enum(['open', 'in_progress']).optional(),
};

const OWN_FIELDS = OwnDecision.keyof().options;

/** The decision on the finding itself, without the decision on its vulnerabilities. */
export const ownDecision = (finding: OwnDecision & { follows?: { was: OwnDecision } | undefined }): OwnDecision =>
  pick(finding.follows?.was ?? finding, OWN_FIELDS);

type Followed = Partial<OwnDecision> & {
  follows?: { was: OwnDecision } | undefined;
  assignee?: z.infer<typeof Person> | undefined;
  assigneeFollows?: 'open' | 'in_progress' | undefined;
};

/** The finding with its own decision and assignee, without the decision on its vulnerabilities and their assignee. */
export function withoutFollowed<T extends Followed>(finding: T): T {
  const { follows, assigneeFollows } = finding;
  const own = follows ? { ...finding, ...pick(follows.was, OWN_FIELDS), follows: undefined } : finding;
  if (!assigneeFollows) return own;
  const status = own.status === 'in_progress' ? assigneeFollows : own.status;
  return { ...own, status, assignee: undefined, assigneeFollows: undefined };
}

/** Reason, approver and end of an accepted risk; null of another status. The end may be that of a suppression rule. */
export function acceptanceOf({ status, statusReason, acceptedBy, acceptedUntil, suppressedBy }: OwnDecision) {
  if (status !== 'risk_accepted') return null;
  const until = acceptedUntil ?? suppressedBy?.until ?? null;
  return { reason: statusReason ?? null, approver: acceptedBy ?? null, until };
}

/** The day on which the acceptance of a risk ends, as a place in the order `accepted`. */
export const acceptedPlace = (acceptance: { until: string | null } | null) =>
  acceptance?.until ? { accepted: dayOf(acceptance.until) } : {};
