import * as z from 'zod';
import { TARGET_TYPES } from '#shared/assets/targets/scan-target.ts';
import { Gate, GateResult } from '#shared/findings/gate/gate.ts';
import { IMPORT_STATUSES, ImportedReport } from '#shared/ingest/imported-report.ts';
import { approves, reads, writes } from '#shared/platform/auth/access.ts';
import { takesFile } from '#shared/platform/http/file-body.ts';
import { Pagination, searchPageOf } from '#shared/platform/http/pagination.ts';
import { asParameters } from '#shared/platform/http/parameters.ts';
import { Id } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { WaitedResponse, WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { reportEncodings } from '#shared/reports/readers/decode.ts';
import { FORMAT_CHOICE } from '#shared/reports/readers/format-ids.ts';

const text = (most: number) => z.string().trim().min(1).max(most);

const ReportTarget = z
  .strictObject({ type: z.enum(TARGET_TYPES), value: text(2048), zone: text(120).nullable().optional() })
  .meta({ id: 'ReportTarget', example: { type: 'url', value: 'https://shop.example.com' } });

export const FindingsImport = z
  .object({
    format: text(40).default('auto').meta({ description: FORMAT_CHOICE, example: 'sarif' }),
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
      .union([ReportTarget, text(2048)])
      .optional()
      .meta({ description: 'what was scanned; a text alone is taken for a URL, address, range, repository or host' }),
    repository: text(2048).optional().meta({
      description: 'the repository that was scanned, as its target; `target` wins where both are given',
      example: 'https://git.example.com/acme/shop',
    }),
    scanType: text(120)
      .optional()
      .meta({ description: 'what was looked for and how deeply; findings close only by a scan of the same type' }),
    ref: text(300).optional().meta({
      description: 'branch; of a repository none is the default branch. Branches have only findings that it has not',
    }),
    baseRef: text(300)
      .optional()
      .meta({ description: 'the branch with which a report on a repository is compared; else the default one' }),
    commit: text(120).optional(),
    closeMissing: z
      .boolean()
      .default(true)
      .meta({ description: 'false: the report is partial, so nothing that it lacks is closed' }),
    gate: Gate.optional().meta({ description: 'asks whether the import passes; send `waitSeconds` beside it' }),
  })
  .meta({ id: 'FindingsImport' });
export type FindingsImport = z.infer<typeof FindingsImport>;

const GateQuery = z.object({ waitSeconds: WaitSeconds, ...asParameters(Gate.shape) });

const { content: _content, uploadId: _uploadId, encoding: _encoding, gate: _gate, ...beside } = FindingsImport.shape;

/** The fields of an import whose body is the report itself. */
const FileImport = z.object({
  waitSeconds: WaitSeconds,
  ...asParameters(beside),
  target: text(2048).optional().meta({ description: 'of a report sent as the body: what was scanned' }),
  ...asParameters(Gate.shape),
});

const ImportAnswer = WaitedResponse.extend({
  gate: GateResult.optional().meta({ description: 'once the task is finished, where the import asked for it' }),
  warnings: z
    .array(z.string())
    .optional()
    .meta({ description: 'what the caller probably forgot, and a closing that is held' }),
}).meta({ id: 'FindingsImportAnswer' });

const ImportsQuery = Pagination.extend({
  assetId: Id.optional().meta({ description: 'imports whose target is this asset' }),
  target: z.string().trim().min(1).max(2048).optional().meta({ description: 'of any type, however it is spelled' }),
  tool: z.string().min(1).max(120).optional(),
  status: z.enum(IMPORT_STATUSES).optional(),
  held: z.enum(['true']).optional().meta({ description: 'only imports whose closing waits until someone confirms it' }),
});

const ImportItem = ImportedReport.omit({ updatedAt: true, version: true })
  .extend({ links: z.record(z.string(), z.string()).meta({ description: 'paths: task, findings, confirm, undo' }) })
  .meta({ id: 'ImportedReportItem' });

export const importRoutes = defineRoutes({
  importFindings: {
    method: 'POST',
    path: '/api/v1/findings/import',
    summary: "Import a tool's report, as a CI job does",
    description:
      'Findings are created, updated and deduplicated by a queued task; its `result` is `{created, updated, unchanged, ' +
      'closed, reopened, rejected: [{reason, where}], rejectedCount, held?}`. A report that cannot be read to its end ' +
      'changes nothing. A finding that an earlier report of the same target, zone, format, `scanType` and `ref` had and ' +
      'this one lacks is closed as `fixed`, provided that the report is complete, none of its entries is `rejected`, and it names ' +
      'its `target` (or `repository`). If that would close at least 20 findings and more than half of the open ones, ' +
      'they are `held` until someone confirms it.\n\nThe body may also be the report itself, of up to 4 MB, gzipped or not, with any ' +
      'other `Content-Type` than application/json (application/sarif+json, application/xml, text/csv, ' +
      'application/octet-stream); the other fields stand in the query then, also those of `gate`: one of `failOn`, `newOnly` and ' +
      '`maxAgeDays` asks for it.',
    access: writes('findings:write'),
    query: z.object({ waitSeconds: WaitSeconds }),
    file: takesFile(FileImport, FindingsImport),
    body: FindingsImport,
    response: ImportAnswer,
  },
  confirmHeldClosing: {
    method: 'POST',
    path: '/api/v1/findings/import/{taskId}/confirm',
    summary: 'Close the findings that a report no longer had and that were held back',
    description:
      'For a task whose result says `held`. Findings that were seen again since, or moved by someone, stay as they are.',
    access: approves('analyst'),
    response: QueuedResponse,
  },
  listImports: {
    method: 'GET',
    path: '/api/v1/findings/imports',
    summary: 'List the imports, newest first: who sent what, and what became of it',
    description:
      'Reports of CI jobs, people, scanners and appliances, once their tasks have ended. `held`: the report would have closed ' +
      'unusually many findings, and somebody must confirm that with a POST to `links.confirm`. The filters combine.',
    access: reads('findings:read'),
    query: ImportsQuery,
    response: searchPageOf(ImportItem),
  },
  undoImport: {
    method: 'POST',
    path: '/api/v1/findings/imports/{taskId}/undo',
    summary: 'Undo an import that was a mistake',
    description:
      'A task deletes the findings that the import alone created, opens those that it closed, closes those that it opened again, and ' +
      'gives those that it changed their former texts and severity. A finding that a later scan saw or closed stays; `kept` of the result has the first 50 of these with the reason, ' +
      '`keptCount` all. Services, software and operating systems that the import told go from assets of which its source had told nothing ' +
      'before (`inventory.removed`); of others (`inventory.kept`) they stay until the next report of the source. Assets that the import ' +
      'made are deleted (`assets.deleted`) unless something else tells of them: findings, another source, a person, an agent. The others keep their ' +
      'identifiers, and when the report saw them. The same report may be imported again. An import can be ' +
      'undone for 30 days, also one that failed half-way (`conflict` says why one cannot).',
    access: writes('findings:write'),
    query: z.object({ waitSeconds: WaitSeconds }),
    response: WaitedResponse,
  },
  judgeImport: {
    method: 'GET',
    path: '/api/v1/findings/import/{taskId}/gate',
    summary: 'Ask whether an import passes a gate',
    description:
      'For an import that is finished, or finishes within `waitSeconds` (else `conflict`). Findings that were triaged since then ' +
      'no longer fail it. A CI job ends with `curl -f ... -o gate.json && jq -e .passed gate.json`.',
    access: reads('findings:read'),
    query: GateQuery,
    response: GateResult,
  },
});
