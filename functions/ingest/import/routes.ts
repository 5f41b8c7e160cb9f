import * as z from 'zod';
import { TARGET_TYPES } from '#shared/assets/targets/scan-target.ts';
import { Gate, GateResult } from '#shared/findings/gate/gate.ts';
import { IMPORT_STATUSES, ImportedReport } from '#shared/ingest/imported-report.ts';
import { analystOf, approves, orImporters, orStaff, reads, writes } from '#shared/platform/auth/access.ts';
import { filterParameters } from '#shared/platform/filter/read.ts';
import { MAX_REPORT_BYTES } from '#shared/platform/http/body-size.ts';
import { takesFile } from '#shared/platform/http/file-body.ts';
import { Listing, searchPageOf } from '#shared/platform/http/pagination.ts';
import { asParameters } from '#shared/platform/http/parameters.ts';
import { Id, objectNamed, trimmedText } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { WaitedResponse, WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { reportEncodings } from '#shared/reports/readers/decode.ts';
import { FORMAT_CHOICE } from '#shared/reports/readers/format-ids.ts';

const ReportTarget = z
  .strictObject({ type: z.enum(TARGET_TYPES), value: trimmedText(2048), zone: trimmedText(120).nullable().optional() })
  .meta({ id: 'ReportTarget', example: { type: 'url', value: 'https://shop.example.com' } });

export const FindingsImport = objectNamed('FindingsImport', {
  format: trimmedText(40).default('auto').meta({ description: FORMAT_CHOICE, example: 'sarif' }),
  content: z
    .string()
    .optional()
    .meta({
      description: 'the report itself, up to 64 MB once decoded; or `uploadId`',
      example:
        '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"example"}},"results":[{"ruleId":"sql-injection",' +
        '"level":"error","message":{"text":"SQL built from input"}}]}]}',
    }),
  uploadId: Id.optional().meta({ description: 'a file sent before, up to 1 GB; or `content`' }),
  encoding: z.enum(reportEncodings).default('utf8').meta({ description: 'of `content`' }),
  target: z
    .union([ReportTarget, trimmedText(2048)])
    .optional()
    .meta({ description: 'what was scanned; a plain text is read as a URL, address, range, repository or host' }),
  repository: trimmedText(2048).optional().meta({
    description: 'the scanned repository as the target; `target` overrides it',
    example: 'https://git.example.com/acme/shop',
  }),
  scanType: trimmedText(120)
    .optional()
    .meta({ description: 'the kind and depth of the scan; only a scan of the same type closes findings' }),
  part: trimmedText(300).optional().meta({
    description:
      'the part of the target that was scanned, such as a folder of a monorepo; only a scan of the same part closes findings',
    example: 'apps/api',
  }),
  ref: trimmedText(300)
    .optional()
    .meta({
      description:
        'the branch; absent for a repository: the default branch. Other branches have only findings that the default branch lacks. ' +
        'docs/branches.md says which branch is the default one',
    }),
  baseRef: trimmedText(300)
    .optional()
    .meta({
      description:
        'the branch with which a report on a repository is compared; absent: the default branch. The same as `ref`: this is the ' +
        'default branch, if none is known',
    }),
  commit: trimmedText(120).optional().meta({
    description:
      'the scanned commit: what it brought stays new for each report on it, so that a retry does not pass the gate',
  }),
  buildId: trimmedText(120)
    .optional()
    .meta({
      description:
        'the build of CI: `GET /api/v1/scanned-branches/gate` judges all reports of a build together. The report names its `repository`, also ' +
        'beside a `target` of another type, such as the image that the build made',
      example: '8123456789-1',
    }),
  engagementId: Id.optional().meta({
    description: 'the engagement whose people made the scan; its lead and members may import its reports',
  }),
  closeMissing: z
    .boolean()
    .default(true)
    .meta({ description: 'false: the report is partial, so no missing finding is closed' }),
  gate: Gate.optional().meta({ description: 'asks whether the import passes; send it together with `waitSeconds`' }),
});
export type FindingsImport = z.infer<typeof FindingsImport>;

const GateQuery = z.object({ waitSeconds: WaitSeconds, ...asParameters(Gate.shape) });

const { content: _content, uploadId: _uploadId, encoding: _encoding, gate: _gate, ...beside } = FindingsImport.shape;

/** The fields of an import whose body is the report itself. */
const FileImport = z.object({
  waitSeconds: WaitSeconds,
  ...asParameters(beside),
  target: trimmedText(2048).optional().meta({ description: 'the scanned target of a report that is sent as the body' }),
  ...asParameters(Gate.shape),
});

const ImportAnswer = WaitedResponse.extend({
  gate: GateResult.optional().meta({ description: 'once the task is finished, where the import asked for it' }),
  warnings: z.array(z.string()).optional().meta({ description: 'probable mistakes of the caller, and a held closing' }),
}).meta({ id: 'FindingsImportAnswer' });

const ImportsQuery = Listing.extend({
  ...filterParameters,
  assetId: Id.optional().meta({ description: 'imports whose target is this asset' }),
  target: z.string().trim().min(1).max(2048).optional().meta({ description: 'a target of any type, in any spelling' }),
  tool: z.string().min(1).max(120).optional(),
  status: z.enum(IMPORT_STATUSES).optional(),
  held: z.enum(['true']).optional().meta({ description: 'only imports whose closing waits until someone confirms it' }),
});

const ImportItem = ImportedReport.omit({ ofTarget: true, updatedAt: true, version: true })
  .extend({ links: z.record(z.string(), z.string()).meta({ description: 'paths: task, findings, confirm, undo' }) })
  .meta({ id: 'ImportedReportItem' });

export const importRoutes = defineRoutes({
  importFindings: post('/api/v1/findings/import', {
    summary: 'Import the report of a scanner',
    description:
      'A queued task creates, updates and deduplicates findings; its `result` is `{created, updated, unchanged, closed, reopened, ' +
      'rejected: [{reason, where}], rejectedCount, repeated, held?}`. A report that cannot be read to its end changes nothing. The task ' +
      'closes findings as `fixed` that an earlier report of the same target, zone, format, `scanType`, `part` and `ref` had and this ' +
      'report lacks, provided that the report is complete, none of its entries is `rejected`, and it names its `target` (or ' +
      '`repository`). If this would close at least 20 findings and more than half of the open findings, these findings are `held` ' +
      'until a person confirms the closing. So are findings in folders that the report does not name, if the report shares no ' +
      'finding with the report that saw them last.\n' +
      '\n' +
      'A VEX document (OpenVEX, CSAF, or CycloneDX with analyses) creates no finding and closes none. Its statements decide on ' +
      'the findings, also later ones, whose vulnerability, and whose component (package URL) or asset (image, repository), they ' +
      'name: in all assets, or in the `target` if the import names one. `not_affected`, and `fixed` of the very version that was ' +
      'found, set `false_positive`; `suppressedBy` names the author. Decisions of people and suppression rules stay. A later ' +
      'version of the document replaces the former one. `settled` and `vex` of the result count the findings; a document that ' +
      'names none answers a warning. The sender needs what `PATCH /api/v1/findings/{id}` needs for a false positive.\n' +
      '\n' +
      'The body may also be the report itself (up to 4 MB, gzipped or not), with any `Content-Type` other than application/json ' +
      '(application/sarif+json, application/xml, text/csv, application/octet-stream); send the other fields in the query then. ' +
      '`failOn`, `newOnly` or `maxAgeDays` in the query requests the gate.\n' +
      '\n' +
      'The lead and the members of an engagement, also staff of the provider, import its reports with `engagementId`; other ' +
      'reports need the role analyst. A role for a part of the organization imports reports on the repositories and images of the part.',
    access: orStaff('pentester', orImporters(reads('findings:write'))),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    file: takesFile(FileImport, FindingsImport),
    maxBody: MAX_REPORT_BYTES,
    body: FindingsImport,
    response: ImportAnswer,
  }),
  confirmHeldClosing: post('/api/v1/findings/imports/{taskId}/confirm', {
    summary: 'Confirm the held closing of an import',
    description:
      'For a task whose result has `held`. Closes the findings that the report lacked. Findings that a later report saw, or that a ' +
      'person changed, stay as they are.',
    access: approves(analystOf('findings')),
    inPart: 'seen',
    response: QueuedResponse,
  }),
  listImports: get('/api/v1/findings/imports', {
    summary: 'List imports with their sender and result, newest first',
    description:
      'Lists the reports of CI jobs, people, scanners and appliances, once their tasks have ended. `held`: the report would have ' +
      'closed unusually many findings; a person must confirm the closing with a POST to `links.confirm`. The filters combine. ' +
      'Somebody with a role for a part of the organization sees, confirms and undoes own imports; with `assetId` also those of others that ' +
      'are about this asset alone: of keys that are bound to it, and of people with a part.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: ImportsQuery,
    response: searchPageOf(ImportItem),
  }),
  undoImport: post('/api/v1/findings/imports/{taskId}/undo', {
    summary: 'Undo a mistaken import',
    description:
      'A task deletes the findings that only the import created, opens the findings that it closed, closes the findings that it ' +
      'reopened, and restores the texts and severity of the findings that it changed. Findings that a VEX document settled have ' +
      'their former status. A finding that a later scan saw or closed ' +
      'stays; `kept` of the result has the first 50 of these findings with the reason, and `keptCount` counts all. Services, ' +
      'software and operating systems that the import reported are removed from assets on which its source had reported nothing ' +
      'before (`inventory.removed`); other assets (`inventory.kept`) keep them until the next report of the source. Assets that ' +
      'the import created are deleted (`assets.deleted`), unless findings, another source, a person or an agent also report or ' +
      'changed them. The other assets keep their identifiers and the time at which the report saw them. The same report may be ' +
      'imported again. An import can be undone for 30 days, even if it failed half-way (`conflict` says why an import cannot be ' +
      'undone).',
    access: writes('findings:write'),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    response: WaitedResponse,
  }),
  judgeImport: get('/api/v1/findings/import/{taskId}/gate', {
    summary: 'Check whether an import passes a gate',
    description:
      'The import must be finished, or finish within `waitSeconds` (else `conflict`). Findings that a person has triaged meanwhile ' +
      'no longer fail the gate. A CI job ends with `curl -f ... -o gate.json && jq -e .passed gate.json`.',
    access: orImporters(reads('findings:read')),
    inPart: 'seen',
    query: GateQuery,
    response: GateResult,
  }),
});
