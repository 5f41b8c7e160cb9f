import * as z from 'zod';
import { reads, writes } from '#shared/auth/access.ts';
import { Vulnerability, VulnerabilityListItem } from '#shared/entities/vulnerability.ts';
import { VulnerabilitiesByAdvisory, VulnerabilitiesByFix } from '#shared/entities/vulnerability-group.ts';
import { approverId } from '#shared/findings/people.ts';
import { anyOf, Pagination, pageOf, SearchQuery, searchPageOf } from '#shared/http/pagination.ts';
import { Id, patchBody } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { WaitedResponse, WaitSeconds } from '#shared/jobs/wait.ts';
import { Severity } from '#shared/reports/report.ts';
import { decisionFields } from '#shared/vulnerabilities/change.ts';
import { VulnerabilityOrder, vulnerabilityFilters } from '#shared/vulnerabilities/filter.ts';
import { Preview } from './preview.ts';

const path = '/api/v1/vulnerabilities';

const decision = {
  status: Vulnerability.shape.status,
  ...decisionFields,
  approverId: approverId.nullish(),
  assigneeId: z.string().min(1).max(120).nullish().meta({ description: 'a service account, or yourself' }),
};

const VulnerabilityUpdate = z.object(decision).meta({ id: 'VulnerabilityUpdate' });

const MAX_IDS = 1000;

const VulnerabilitiesUpdate = z
  .object({
    ids: z
      .array(Id)
      .min(1)
      .max(MAX_IDS)
      .optional()
      .meta({ description: 'the vulnerabilities; or `filter`', example: ['01900000-0000-7000-8000-000000000000'] }),
    filter: z
      .strictObject({ ...vulnerabilityFilters, search: SearchQuery.shape.search.optional() })
      .optional()
      .meta({
        description: 'the vulnerabilities that the list and the search give for these parameters; at least one',
      }),
    changes: z
      .strictObject({ status: Vulnerability.shape.status, ...decisionFields, assigneeId: decision.assigneeId })
      .partial()
      .default({})
      .meta({ example: { status: 'false_positive', reason: 'the vulnerable class is not loaded' } }),
    approverId: approverId.optional(),
    dryRun: z.boolean().default(false).meta({ description: 'answers `preview` and changes nothing' }),
  })
  .meta({ id: 'VulnerabilitiesUpdate' });
export type VulnerabilitiesUpdate = z.output<typeof VulnerabilitiesUpdate>;

/** Either the task or the preview. */
const VulnerabilitiesUpdateAnswer = WaitedResponse.partial()
  .extend({ preview: Preview.optional().meta({ description: 'of a `dryRun`, which queues no task' }) })
  .meta({ id: 'VulnerabilitiesUpdateAnswer' });

/** A list of groups, which may be sorted by one of their numbers. */
const groupedBy = <const N extends string>(order: N) =>
  Pagination.extend({
    severity: anyOf(Severity).optional().meta({ description: 'the highest of the group' }),
    sort: z
      .enum(['newest', order], `must be newest or ${order}`)
      .optional()
      .meta({ description: `\`${order}\`: the highest first, up to position 1,000` }),
  });

export const vulnerabilityRoutes = defineRoutes({
  listVulnerabilities: {
    method: 'GET',
    path,
    summary: 'List vulnerabilities, newest first',
    description:
      'One advisory on one component of one asset, from all findings on default branches that name it, whatever their tool. It follows ' +
      'them within seconds after a report, and within minutes after other changes. All filters combine.',
    access: reads('vulnerabilities:read'),
    query: Pagination.extend({ ...vulnerabilityFilters, sort: VulnerabilityOrder }),
    response: searchPageOf(VulnerabilityListItem),
  },
  searchVulnerabilities: {
    method: 'GET',
    path: `${path}/search`,
    summary: 'Search vulnerabilities by the words of advisory, component and asset',
    description:
      'Each word of `search` must be the beginning of a word of the advisory, its aliases, the component or the last part of the ' +
      "asset's name. The filters of the list combine with the words.",
    access: reads('vulnerabilities:read'),
    query: SearchQuery.extend({ ...vulnerabilityFilters, sort: VulnerabilityOrder }),
    response: searchPageOf(VulnerabilityListItem),
  },
  listVulnerabilitiesByAdvisory: {
    method: 'GET',
    path: `${path}/by-advisory`,
    summary: 'List advisories with the open vulnerabilities that they make, newest first',
    description:
      'Each with its assets, its open vulnerabilities by severity and their highest priority (`sort=priority`).',
    access: reads('vulnerabilities:read'),
    query: groupedBy('priority'),
    response: pageOf(VulnerabilitiesByAdvisory),
  },
  listVulnerabilitiesByFix: {
    method: 'GET',
    path: `${path}/by-fix`,
    summary: 'List upgrades of components with the open vulnerabilities that each closes, newest first',
    description:
      '"Upgrade log4j-core to 2.17.1 on 214 assets closes 642": `sort=closes` puts those first that close the most. `version` is the highest of the lowest versions that close each; ' +
      'a vulnerability of which nobody names a fixed version is in none.',
    access: reads('vulnerabilities:read'),
    query: groupedBy('closes'),
    response: pageOf(VulnerabilitiesByFix),
  },
  getVulnerability: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a vulnerability with its findings',
    description: 'Who decided what and when: `GET /api/v1/changes?entity=vulnerability`.',
    access: reads('vulnerabilities:read'),
    response: Vulnerability,
  },
  updateVulnerability: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Decide on a vulnerability: in progress, risk accepted, false positive, or open again',
    description:
      'A merge patch. A decision stays whatever findings come, go or return; only `fixed` follows its findings alone, and a vulnerability ' +
      'that returns has the decision as before. `risk_accepted` needs a `reason`, and ends with `acceptedUntil`. `open` takes a ' +
      'decision back. `assigneeId` null takes the assignee away. The decision holds for its findings, those that come later too: ' +
      'the task `taskId` (`update_vulnerabilities`) brings them to it, and their `follows` and history name the vulnerability. A ' +
      'finding that names several vulnerabilities follows when all of them are decided on, by the decision that leaves the most to ' +
      'do; a later decision on the finding itself stands. Without a decision a finding has its own status again.',
    access: writes('vulnerabilities:write'),
    body: patchBody(Vulnerability.extend(decision), VulnerabilityUpdate),
    response: Vulnerability,
  },
  updateVulnerabilities: {
    method: 'PATCH',
    path,
    summary: 'Decide on many vulnerabilities at once, by their ids or by a filter',
    description:
      'A task makes this decision on each, as a PATCH of the one vulnerability would, and brings their findings to it, under your ' +
      'name; with `waitSeconds` the answer has the finished task. Its `result` is `{matched, changed, unchanged, refused: [{id, ' +
      'code, message}], refusedCount, results?, findings}`, as that of a change of many findings; `findings` counts those that followed.',
    access: writes('vulnerabilities:write'),
    query: z.object({ waitSeconds: WaitSeconds }),
    body: VulnerabilitiesUpdate,
    response: VulnerabilitiesUpdateAnswer,
  },
  undoVulnerabilitiesUpdate: {
    method: 'POST',
    path: `${path}/bulk/{taskId}/undo`,
    summary: 'Undo a decision on vulnerabilities, for a day after the end of its task',
    description:
      'A vulnerability gets back what was decided before, unless somebody decided on it since, and its findings have what they had by ' +
      'themselves. The `result` is `{matched, restored, changedSince: [{id, code, message}], changedSinceCount, findings}`. Another ' +
      'call answers the same task.',
    access: writes('vulnerabilities:write'),
    query: z.object({ waitSeconds: WaitSeconds }),
    response: WaitedResponse,
  },
});
