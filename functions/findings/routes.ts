import * as z from 'zod';
import { reads, writes } from '#shared/auth/access.ts';
import { Finding, FindingListItem } from '#shared/entities/finding.ts';
import { FINDING_STATUSES } from '#shared/entities/finding-status.ts';
import { anyOf, Pagination, SearchQuery, searchPageOf } from '#shared/http/pagination.ts';
import { Actor, Id, patchBody, Timestamp } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { Severity } from '#shared/reports/report.ts';

const path = '/api/v1/findings';

/** A PATCH takes these beside the finding's own fields. */
const FindingUpdate = Finding.extend({
  status: z.enum(FINDING_STATUSES).meta({ example: 'in_progress' }),
  reason: z.string().min(1).max(300).nullish().meta({
    description: 'kept in the history with whatever this request changes; also becomes `statusReason` of a new status',
    example: 'confirmed by hand, the upgrade is planned',
  }),
}).meta({ id: 'FindingUpdate' });

const FindingChange = z
  .object({
    version: z.int().positive().meta({ description: 'of the finding after the change' }),
    at: Timestamp,
    by: Actor,
    changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })).meta({
      example: { status: { from: 'open', to: 'in_progress' } },
    }),
    reason: z.string().nullable(),
    scanTaskId: Id.nullable().meta({ description: 'of the scan that closed or reopened it' }),
  })
  .meta({ id: 'FindingChange' });

const Day = z.iso.date('must be a day such as 2026-01-31');

/** Each narrows the list; they combine in any way. */
const filters = {
  status: anyOf(z.enum(FINDING_STATUSES)).optional(),
  severity: anyOf(Severity).optional(),
  assetId: Id.optional(),
  engagementId: Id.optional(),
  tool: z.string().min(1).max(120).optional(),
  ruleId: z.string().min(1).max(300).optional(),
  cve: z.string().min(1).max(40).optional(),
  cwe: z.string().min(1).max(40).optional(),
  tag: z.string().min(1).max(120).optional(),
  ref: z.string().min(1).max(300).optional().meta({ description: 'branch' }),
  assigneeId: z.string().min(1).max(120).optional().meta({ description: '`me`; `none` for those of nobody' }),
  taskId: Id.optional().meta({ description: 'the import or scan that reported them first' }),
  dueFrom: Day.optional().meta({ description: 'open findings that are due on this day or later' }),
  dueTo: Day.optional().meta({ description: 'open findings that are due on this day or earlier' }),
  sort: z
    .enum(['newest', 'priority', 'dueAt'], 'must be newest, priority or dueAt: other fields change without a write')
    .optional()
    .meta({
      description:
        '`priority` (highest first) and `dueAt` (earliest day first) list open findings, equal ones newest first, up to ' +
        'position 1,000. When a finding was seen last is written nowhere but in the last scan, so it gives no order.',
    }),
};

export const findingRoutes = defineRoutes({
  listFindings: {
    method: 'GET',
    path,
    summary: 'List findings, newest first',
    description: 'The filters combine: a finding must fit all of them. Any page costs the same.',
    access: reads('findings:read'),
    query: Pagination.extend(filters),
    response: searchPageOf(FindingListItem),
  },
  searchFindings: {
    method: 'GET',
    path: `${path}/search`,
    summary: 'Search findings by the words of CVE, asset, rule, file, title and tool',
    description:
      'Each word of `search` must be the beginning of a word of the finding: `cve-2021 ngi` finds CVE-2021-23017 on ' +
      'nginx; a word in quotation marks must be one as a whole. The first 16 different words of a finding count, in this ' +
      "order: up to two CVEs, the last part of the asset's name, the rule, the file's name, the title, the tool. The " +
      'filters of the list combine with the words.',
    access: reads('findings:read'),
    query: SearchQuery.extend(filters),
    response: searchPageOf(FindingListItem),
  },
  getFinding: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a finding with its evidence',
    description:
      '`lastSeenAt` and `occurrences` come from the last scan of its scope; seeing it again changes nothing else.',
    access: reads('findings:read'),
    response: Finding,
  },
  updateFinding: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Triage a finding: status, severity, assignee, tags, dates',
    description:
      'A merge patch. A status that cannot follow the present one is refused (`conflict`; the message says which can). ' +
      'A severity set here stays, whatever later scans say; priority follows it, and so does `dueAt` unless it was set ' +
      'by hand. `acceptedUntil` belongs to `risk_accepted`; then the finding is open again by itself, due as before, and ' +
      'not counted as reopened, for nothing was fixed. `assigneeId` is the id of a service account or your own; null ' +
      'takes the assignee away. The first change of status or assignee acknowledges the finding. Every change is ' +
      'kept with who, when, from, to and `reason`: `GET /api/v1/findings/{id}/history`.',
    access: writes('findings:write'),
    body: patchBody(FindingUpdate),
    response: Finding,
  },
  listFindingHistory: {
    method: 'GET',
    path: `${path}/{id}/history`,
    summary: 'List the changes of a finding, newest first',
    description: 'The newest 500 changes by people and scans.',
    access: reads('findings:read'),
    response: z.array(FindingChange),
  },
});
