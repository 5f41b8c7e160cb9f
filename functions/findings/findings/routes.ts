import * as z from 'zod';
import { FindingOrder, findingFilters } from '#shared/findings/finding/filter.ts';
import { FindingListItem, TriagedFinding } from '#shared/findings/finding/finding.ts';
import { FindingComment, WrittenComment } from '#shared/findings/finding/finding-comment.ts';
import { FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { Follower } from '#shared/findings/finding/follower.ts';
import { ManualFinding } from '#shared/findings/finding/manual-finding.ts';
import { OfEngagement } from '#shared/findings/triage/of-engagement.ts';
import { approverId } from '#shared/findings/triage/people.ts';
import { ShownFinding } from '#shared/findings/view/shown-finding.ts';
import { acceptsRisks, orStaff, reads, writes } from '#shared/platform/auth/access.ts';
import { Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Actor, createBody, Deletion, Id, objectNamed, patchBody, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, put, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/findings';

const { tags } = TriagedFinding.shape;

/** A PATCH takes these beside the finding's own fields. */
const beside = {
  status: z.enum(FINDING_STATUSES).meta({ example: 'in_progress' }),
  severity: TriagedFinding.shape.severity,
  reason: z.string().min(1).max(300).nullish().meta({
    description: 'kept in the history with the changes of this request; also becomes `statusReason` of a new status',
    example: 'confirmed by hand, the upgrade is planned',
  }),
  approverId: approverId.nullish(),
  addTags: tags.nullish().meta({ description: 'tags that the finding gets; its other tags stay' }),
  removeTags: tags.nullish().meta({ description: 'tags that the finding loses' }),
};

const { whyOpen } = ShownFinding.shape;

const FindingUpdate = ManualFinding.extend({ ...beside, whyOpen }).meta({ id: 'FindingUpdate' });

/**
 * The body for a finding that a person wrote. A finding of a report accepts its texts only unchanged, in whatever form
 * its tool wrote them.
 */
export const ManualPatch = patchBody(FindingUpdate);
const ReportedPatch = patchBody(ShownFinding.extend(beside), FindingUpdate);

const FindingChange = objectNamed('FindingChange', {
  version: z.int().positive().meta({ description: 'of the finding after the change' }),
  at: Timestamp,
  by: Actor,
  changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })).meta({
    example: { status: { from: 'open', to: 'in_progress' } },
  }),
  reason: z.string().nullable(),
  scanTaskId: Id.nullable().meta({ description: 'of the scan that closed or reopened it' }),
  taskId: Id.nullable().meta({ description: 'the task of the change of many findings that includes this change' }),
  vulnerabilityIds: z
    .array(Id)
    .meta({ description: 'the vulnerabilities whose decision the finding followed with it' }),
});

const FollowersAnswer = z.object({ data: z.array(Follower) }).meta({ id: 'FindingFollowersAnswer' });

export const findingRoutes = defineRoutes({
  listFindings: get(path, {
    summary: 'List findings, newest first',
    description:
      'All filters combine with each other, with `search` and with `sort`: a finding must fit all filters. Every page costs the ' +
      'same, up to position 1,000 of a sorted list. To follow changes, use `GET /api/v1/changes?entity=finding`.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: Listing.extend({ ...findingFilters, sort: FindingOrder }),
    response: searchPageOf(FindingListItem),
  }),
  searchFindings: get(`${path}/search`, {
    summary: 'Search findings by the words of their CVE, asset, rule, file, title and tool',
    description:
      'Each word of `search` must be the beginning of a word of the finding: `cve-2021 ngi` finds CVE-2021-23017 on nginx; a word ' +
      'in quotation marks must be a whole word of the finding. The first 16 different words of a finding count, in this order: up ' +
      "to two CVEs, the last part of the asset's name, the host of a URL, the rule, the file's name, the title (which names " +
      'products and versions), the tool. A path such as `src/api/app.py:12` finds findings by the name of the file. The filters of ' +
      'the list combine with the words.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: SearchQuery.extend({ ...findingFilters, sort: FindingOrder }),
    response: searchPageOf(FindingListItem),
  }),
  getFinding: get(`${path}/{id}`, {
    summary: 'Read a finding with its evidence',
    description:
      '`lastSeenAt` and `occurrences` come from the last scan of its scan scope; another sighting changes nothing else. `whyOpen` names ' +
      'the last scan that looked for an open finding, and what that scan lacks as proof that the finding is gone.',
    access: reads('findings:read'),
    inPart: 'seen',
    response: ShownFinding,
  }),
  updateFinding: patch(`${path}/{id}`, {
    summary: 'Triage a finding: status, severity, assignee, tags, dates',
    description:
      'A merge patch. A status that cannot follow the current status is refused (`conflict`; the message names the allowed ' +
      'statuses). Later scans do not change a severity that is set here; null gives the finding the severity of its tool ' +
      'again. The priority follows the severity, and so does `dueAt` unless a person set it. `acceptedUntil` belongs to `risk_accepted`: at that time the finding opens again automatically, ' +
      'with the same due date, and does not count as reopened. With `restartSla` its due date counts from that time. ' +
      '`risk_accepted` needs a `reason`; `acceptance` shows the reason with the approver and the end. `assigneeId` is the id of a ' +
      'service account or your own id; null removes the assignee. An open finding that gets an assignee becomes `in_progress`, and ' +
      'becomes `open` again when the assignee is removed, unless the request names a status. The first change of status or ' +
      'assignee acknowledges the finding. `GET /api/v1/findings/{id}/history` keeps every change with its author, time, old and ' +
      'new value, and `reason`. A viewer may set the status of a finding that is assigned to the viewer to open, in_progress or ' +
      'fixed. Title, description, place, identifiers, evidence, references and remediation can be changed if `taskId` is null: a ' +
      'person created such a finding. Staff of the provider who lead or work on an engagement change its findings with ' +
      '`engagementId`, until it ends; they accept no risk without an `approverId` of its organization.',
    access: acceptsRisks(orStaff('pentester', reads('findings:write'))),
    inPart: 'seen',
    query: OfEngagement,
    body: ReportedPatch,
    response: ShownFinding,
  }),
  listFindingComments: get(`${path}/{id}/comments`, {
    summary: 'List the comments on a finding, newest first',
    description:
      'A finding that moves from a branch to the default branch keeps its comments. The comments of a deleted finding are deleted ' +
      'too.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: Listing,
    response: pageOf(FindingComment),
  }),
  createFindingComment: post(`${path}/{id}/comments`, {
    summary: 'Comment on a finding',
    description:
      'The text is Markdown and is stored as sent: a program that shows the text must sanitize it. The comment names its author.',
    access: writes('findings:write'),
    inPart: 'seen',
    body: createBody(FindingComment),
    response: WrittenComment,
  }),
  updateFindingComment: patch(`${path}/{id}/comments/{commentId}`, {
    summary: 'Change your own comment',
    description: 'A merge patch. Nobody else may change the comment, not even an administrator (`conflict`).',
    access: writes('findings:write'),
    inPart: 'seen',
    body: patchBody(FindingComment),
    response: WrittenComment,
  }),
  deleteFindingComment: remove(`${path}/{id}/comments/{commentId}`, {
    summary: 'Delete your own comment',
    description:
      'The deletion is permanent. Nobody else may delete the comment, not even an administrator (`conflict`).',
    access: writes('findings:write'),
    inPart: 'seen',
    response: Deletion,
  }),
  listFindingFollowers: get(`${path}/{id}/followers`, {
    summary: 'List the people who follow a finding',
    description: 'Followers hear of comments on the finding.',
    access: reads('findings:read'),
    inPart: 'seen',
    response: FollowersAnswer,
  }),
  followFinding: put(`${path}/{id}/followers/me`, {
    summary: 'Follow a finding',
    description:
      'You hear of each later comment on it. Only a person follows a finding (`conflict`); a finding has at most 100 followers. A ' +
      'repeated request changes nothing.',
    access: reads('findings:read'),
    inPart: 'seen',
    response: FollowersAnswer,
  }),
  unfollowFinding: remove(`${path}/{id}/followers/me`, {
    summary: 'Follow a finding no longer',
    description: 'Changes nothing for somebody who does not follow it.',
    access: reads('findings:read'),
    inPart: 'seen',
    response: FollowersAnswer,
  }),
  listFindingHistory: get(`${path}/{id}/history`, {
    summary: 'List the changes of a finding, newest first',
    description: 'Lists the newest 500 changes by people and scans.',
    access: reads('findings:read'),
    inPart: 'seen',
    response: z.array(FindingChange),
  }),
});
