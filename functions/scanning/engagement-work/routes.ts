import * as z from 'zod';
import { FindingEvidence } from '#shared/findings/evidence/evidence.ts';
import { EvidenceDownload } from '#shared/findings/evidence/evidence-download.ts';
import { Finding, FindingListItem } from '#shared/findings/finding/finding.ts';
import { FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { orStaff, reads, readsScans, writes } from '#shared/platform/auth/access.ts';
import { Listing, Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id, objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post, remove } from '#shared/platform/http/route.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { Engagement } from '#shared/scanning/engagements/engagement.ts';
import { EngagementRun } from '#shared/scanning/engagements/engagement-run.ts';
import { EngagementNote, WorkEntry, WrittenNote } from '#shared/scanning/engagements/engagement-work.ts';
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
const StaffMember = objectNamed('StaffMember', {
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  skills: z.array(z.string()),
  activeEngagements: z.int().nonnegative(),
});

/** The routes of people who work on engagements: their list, notes, work, runs, findings and assignable staff. */
export const engagementWorkRoutes = defineRoutes({
  listMyEngagements: get(`${base}/my`, {
    operation: 'HandleGetMyEngagements',
    summary: 'List the engagements that you requested, lead or work on, newest first',
    description:
      'An API key or service account sees the engagements that it requested or to which it is assigned. Staff of the provider see ' +
      'the engagements of all clients to which they are assigned, each with its `organization`.',
    access: orStaff('pentester', readsScans),
    query: Pagination,
    response: pageOf(MyEngagement),
  }),
  getEngagement: get(`${base}/{id}`, {
    summary: 'Read an engagement, with the counts of its tasks and findings',
    description:
      '`findings` counts the findings that this engagement found first, including fixed findings. Staff of the provider get ' +
      '`not_found` unless they are assigned. `credentialIds` is empty for callers who may not use credentials.',
    access: orStaff('pentester', readsScans),
    response: Engagement,
  }),
  startEngagement: post(`${base}/{id}/start`, {
    summary: 'Start an engagement without scanner tasks',
    description:
      'For engagements on which people work. Only an `approved` or `scheduled` engagement starts; other statuses are refused as ' +
      '`conflict` with the allowed changes. An engagement with task types is refused too: its scanner tasks set its status.',
    access: orStaff('pentester', writes('scans:trigger')),
    response: Engagement,
  }),
  completeEngagement: post(`${base}/{id}/complete`, {
    summary: 'Complete an engagement without scanner tasks',
    description: 'For engagements on which people work. Cancels the open Apex campaigns and tasks of the engagement.',
    access: orStaff('pentester', writes('scans:trigger')),
    response: Engagement,
  }),
  listEngagementNotes: get(`${base}/{id}/notes`, {
    summary: 'List the notes of an engagement, newest first',
    description:
      'An engagement without notes has an empty list. Staff of the provider get `not_found` unless they are ' +
      'assigned.',
    access: orStaff('pentester', readsScans),
    query: Listing,
    response: pageOf(EngagementNote),
  }),
  createEngagementNote: post(`${base}/{id}/notes`, {
    summary: 'Add a note to an engagement',
    description:
      'Notes can be added in every status, even after the end. A note cannot be changed, only deleted. A viewer can add notes to ' +
      'engagements that the viewer requested, leads or works on. `@name` notifies a person of the organization.',
    access: orStaff('pentester', reads('scans:trigger')),
    body: createBody(EngagementNote),
    response: WrittenNote,
  }),
  deleteEngagementNote: remove(`${base}/{id}/notes/{noteId}`, {
    summary: 'Delete a note',
    description:
      'You can delete any note of the engagement, not only your own. A note of another engagement and a deleted note are `not_found`.',
    access: writes('scans:trigger'),
    irreversible: true,
    response: Deletion,
  }),
  listWorkEntries: get(`${base}/{id}/work-entries`, {
    summary: 'List the work entries of an engagement, newest first, with the total minutes',
    description: '`totalMinutes` is the sum over all pages; it is 0 without entries.',
    access: orStaff('pentester', readsScans),
    query: Listing,
    response: pageOf(WorkEntry).extend({ totalMinutes: z.int().nonnegative() }),
  }),
  createWorkEntry: post(`${base}/{id}/work-entries`, {
    summary: 'Add a work entry to an engagement',
    description:
      'Without `personId` the work is your own. `personId` may name a service account of your organization or staff who are ' +
      'assigned to the engagement; staff enter only their own work. `date` is between the day of the first approval and today ' +
      '(UTC). An entry cannot be changed: delete the entry and add another entry.',
    access: orStaff('pentester', writes('scans:trigger')),
    body: createBody(WorkEntry),
    response: WorkEntry,
  }),
  deleteWorkEntry: remove(`${base}/{id}/work-entries/{entryId}`, {
    summary: 'Delete a work entry',
    description:
      'You can delete any entry of the engagement, not only your own; `totalMinutes` decreases. An entry of another engagement and ' +
      'a deleted entry are `not_found`.',
    access: writes('scans:trigger'),
    irreversible: true,
    response: Deletion,
  }),
  listEngagementStaff: get(`${base}/staff`, {
    operation: 'HandleListStaffUsers',
    summary: 'List the staff of the provider that can be assigned, newest first',
    description:
      'Send their ids as `leadId` or in `memberIds` of an engagement. While staff are named there, they can read that engagement ' +
      'with its findings and runs, add notes and work entries, and start and complete an engagement without task types. They can ' +
      'do nothing else. `activeEngagements` counts engagements of this organization.',
    access: readsScans,
    query: Pagination,
    response: pageOf(StaffMember),
  }),
  listEngagementRuns: get(`${base}/{id}/runs`, {
    summary: 'List the runs of an engagement, newest first',
    description:
      'A start during the previous run is listed as `skipped`. `tasks` of the current run is live. An engagement without scanner ' +
      'tasks has no runs.',
    access: orStaff('pentester', readsScans),
    query: Listing,
    response: pageOf(EngagementRun),
  }),
  listEngagementFindings: get(`${base}/{id}/findings`, {
    summary: 'List the findings that an engagement found first, newest first',
    description:
      'Earlier findings are not listed, even if the engagement saw them again. Fixed findings are listed too. `status` and ' +
      '`severity` combine.',
    access: orStaff('pentester', reads('findings:read')),
    query: Listing.extend({ status: z.enum(FINDING_STATUSES).optional(), severity: Severity.optional() }),
    response: pageOf(FindingListItem),
  }),
  listEngagementFindingEvidence: get(evidence, {
    summary: 'List the texts and files of evidence of a finding that an engagement found first',
    description:
      '`texts` come from the report or the author of the finding; people attached `files`. Staff of the provider can read the ' +
      'evidence of the findings that they may list, and only with this operation.',
    access: orStaff('pentester', reads('findings:read')),
    response: z
      .object({ texts: Finding.shape.evidence, files: z.array(FindingEvidence) })
      .meta({ id: 'EngagementFindingEvidence' }),
  }),
  getEngagementFindingEvidence: get(`${evidence}/{evidenceId}`, {
    summary: 'Get the address of an evidence file of a finding that an engagement found first',
    description: 'The address works for 5 minutes and needs no credential.',
    access: orStaff('pentester', reads('findings:read')),
    response: EvidenceDownload,
  }),
});
