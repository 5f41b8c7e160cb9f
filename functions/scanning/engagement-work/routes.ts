import * as z from 'zod';
import { FindingEvidence } from '#shared/findings/evidence/evidence.ts';
import { EvidenceDownload } from '#shared/findings/evidence/evidence-download.ts';
import { Finding, FindingListItem } from '#shared/findings/finding/finding.ts';
import { FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { orStaff, reads, readsScans, writes } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { Engagement } from '#shared/scanning/engagements/engagement.ts';
import { EngagementRun } from '#shared/scanning/engagements/engagement-run.ts';
import { EngagementNote, WorkEntry } from '#shared/scanning/engagements/engagement-work.ts';
import { EngagementListItem } from '#shared/scanning/engagements/view.ts';

const base = '/api/v1/validation-operations/engagements';
const evidence = `${base}/{id}/findings/{findingId}/evidence` as const;

const MyEngagement = EngagementListItem.extend({
  organization: z
    .object({ id: Id, name: z.string() })
    .optional()
    .meta({ description: 'for staff of the provider: the client that owns the engagement' }),
}).meta({ id: 'MyEngagement' });

/** A person of the provider who can be assigned. */
const StaffMember = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    skills: z.array(z.string()),
    activeEngagements: z.int().nonnegative(),
  })
  .meta({ id: 'StaffMember' });

/** The routes of people who work on engagements: their list, notes, work, runs, findings and assignable staff. */
export const engagementWorkRoutes = defineRoutes({
  listMyEngagements: {
    method: 'GET',
    path: `${base}/my`,
    operation: 'HandleGetMyEngagements',
    summary: 'List the engagements that you requested, lead or work on, newest first',
    description:
      'An API key or service account sees the engagements that it requested or is assigned to. Staff of the provider ' +
      'see the engagements of all clients that they are assigned to, each with its `organization`.',
    access: orStaff('pentester', readsScans),
    query: Pagination,
    response: pageOf(MyEngagement),
  },
  getEngagement: {
    method: 'GET',
    path: `${base}/{id}`,
    summary: 'Read an engagement, with the counts of its tasks and findings',
    description:
      '`findings` counts those that this engagement found first, fixed ones included. Staff of the provider ' +
      'get `not_found` unless they are assigned. `credentialIds` is empty for callers who may not use ' +
      'credentials.',
    access: orStaff('pentester', readsScans),
    response: Engagement,
  },
  startEngagement: {
    method: 'POST',
    path: `${base}/{id}/start`,
    summary: 'Start an engagement without scanner tasks, which people work on',
    description:
      'Only an engagement that is `approved` or `scheduled` starts; every other status is refused as `conflict` with the ' +
      'allowed changes. So is one with task types, whose scanner tasks decide.',
    access: orStaff('pentester', writes('scans:trigger')),
    response: Engagement,
  },
  completeEngagement: {
    method: 'POST',
    path: `${base}/{id}/complete`,
    summary: 'Complete an engagement without scanner tasks, which people work on',
    description: 'Cancels its open Apex campaigns and tasks.',
    access: orStaff('pentester', writes('scans:trigger')),
    response: Engagement,
  },
  listEngagementNotes: {
    method: 'GET',
    path: `${base}/{id}/notes`,
    summary: 'List the notes of an engagement, newest first',
    description:
      'An engagement without notes has an empty list. Staff of the provider get `not_found` unless they are ' +
      'assigned.',
    access: orStaff('pentester', readsScans),
    query: Pagination,
    response: pageOf(EngagementNote),
  },
  createEngagementNote: {
    method: 'POST',
    path: `${base}/{id}/notes`,
    summary: 'Add a note to an engagement',
    description:
      'Notes can be added in every status, also after the end. A note cannot be changed, only deleted. A viewer adds notes ' +
      'to the engagements that they requested, lead or work on.',
    access: orStaff('pentester', reads('scans:trigger')),
    body: createBody(EngagementNote),
    response: EngagementNote,
  },
  deleteEngagementNote: {
    method: 'DELETE',
    path: `${base}/{id}/notes/{noteId}`,
    summary: 'Delete a note',
    description:
      'You can delete any note of the engagement, not only your own. A note of another engagement, and one ' +
      'that was deleted before, is `not_found`.',
    access: writes('scans:trigger'),
    response: Deletion,
  },
  listWorkEntries: {
    method: 'GET',
    path: `${base}/{id}/work-entries`,
    summary: 'List the work entries of an engagement, newest first, with the minutes of all entries',
    description: '`totalMinutes` is the sum of all pages, 0 without entries.',
    access: orStaff('pentester', readsScans),
    query: Pagination,
    response: pageOf(WorkEntry).extend({ totalMinutes: z.int().nonnegative() }),
  },
  createWorkEntry: {
    method: 'POST',
    path: `${base}/{id}/work-entries`,
    summary: 'Add a work entry to an engagement',
    description:
      'Without `personId` the work is your own. It may name a service account of yours or staff who are ' +
      'assigned to the engagement; staff enter only their own work. `date` is between the day of the first approval and ' +
      'today (UTC). An entry cannot be changed: delete it and add another.',
    access: orStaff('pentester', writes('scans:trigger')),
    body: createBody(WorkEntry),
    response: WorkEntry,
  },
  deleteWorkEntry: {
    method: 'DELETE',
    path: `${base}/{id}/work-entries/{entryId}`,
    summary: 'Delete a work entry',
    description:
      'You can delete any entry of the engagement, not only your own, and `totalMinutes` becomes less. An ' +
      'entry of another engagement, and one that was deleted before, is `not_found`.',
    access: writes('scans:trigger'),
    response: Deletion,
  },
  listEngagementStaff: {
    method: 'GET',
    path: `${base}/staff`,
    operation: 'HandleListStaffUsers',
    summary: 'List the staff of the provider that can be assigned, newest first',
    description:
      'Name them as `leadId` or in `memberIds`. While they are named, they read that engagement with its findings ' +
      'and runs, add notes and work entries, and start and complete it when it has no task types, and nothing else. ' +
      '`activeEngagements` counts engagements of this organization.',
    access: readsScans,
    query: Pagination,
    response: pageOf(StaffMember),
  },
  listEngagementRuns: {
    method: 'GET',
    path: `${base}/{id}/runs`,
    summary: 'List the runs of an engagement, newest first',
    description:
      'A start that came during the previous run is listed as `skipped`. `tasks` of the current run is live. ' +
      'An engagement without scanner tasks has no runs.',
    access: orStaff('pentester', readsScans),
    query: Pagination,
    response: pageOf(EngagementRun),
  },
  listEngagementFindings: {
    method: 'GET',
    path: `${base}/{id}/findings`,
    summary: 'List the findings that an engagement found first, newest first',
    description:
      'Findings that were known before are not listed, even if the engagement saw them again. Fixed findings ' +
      'are listed, too. `status` and `severity` together list the findings that have both.',
    access: orStaff('pentester', reads('findings:read')),
    query: Pagination.extend({ status: z.enum(FINDING_STATUSES).optional(), severity: Severity.optional() }),
    response: pageOf(FindingListItem),
  },
  listEngagementFindingEvidence: {
    method: 'GET',
    path: evidence,
    summary: 'List the evidence of a finding that an engagement found first: texts and files',
    description:
      '`texts` came with the report or were written with the finding, `files` were put to it. Staff of the provider read the ' +
      'evidence of the findings that they may list, and only here.',
    access: orStaff('pentester', reads('findings:read')),
    response: z
      .object({ texts: Finding.shape.evidence, files: z.array(FindingEvidence) })
      .meta({ id: 'EngagementFindingEvidence' }),
  },
  getEngagementFindingEvidence: {
    method: 'GET',
    path: `${evidence}/{evidenceId}`,
    summary: 'Get the address of an evidence file of a finding that an engagement found first',
    description: 'The address works for 5 minutes and for whoever has it.',
    access: orStaff('pentester', reads('findings:read')),
    response: EvidenceDownload,
  },
});
