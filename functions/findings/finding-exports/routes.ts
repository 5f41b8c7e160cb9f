import * as z from 'zod';
import { findingFilters } from '#shared/findings/finding/filter.ts';
import { reads } from '#shared/platform/auth/access.ts';
import {
  EXPORT_COLUMNS,
  EXPORT_DAYS,
  ExportedFile,
  ExportFormat,
  followedExport,
  queuedExport,
} from '#shared/platform/exports/export.ts';
import { SearchQuery } from '#shared/platform/http/pagination.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';
import { WaitSeconds } from '#shared/platform/jobs/wait.ts';

const path = '/api/v1/findings/export';

const FindingsExport = objectNamed('FindingsExport', {
  format: ExportFormat.default('csv').meta({ description: '`vex` is OpenVEX 0.2.0, `sarif` is SARIF 2.1.0' }),
  filter: z
    .strictObject({ ...findingFilters, search: SearchQuery.shape.search.optional() })
    .default({})
    .meta({ example: { status: ['open'], severity: ['critical', 'high'] } }),
  columns: z
    .array(z.enum(EXPORT_COLUMNS))
    .min(1)
    .max(EXPORT_COLUMNS.length)
    .optional()
    .meta({
      description:
        'of `csv` and `jsonl`; without them a CSV has the usual ones, a line of JSON the whole finding with `owner`, ' +
        '`applications` and `asset.tags`, the facts of its asset',
      example: ['title', 'severity', 'asset.name'],
    }),
});
export type FindingsExport = z.infer<typeof FindingsExport>;

const ExportedFindings = ExportedFile.extend({
  findings: z.int().nonnegative(),
  entries: z
    .int()
    .nonnegative()
    .meta({ description: 'rows, lines, results or statements; a finding may have several statements or none' }),
}).meta({ id: 'ExportedFile' });

const FindingsExportAnswer = followedExport(ExportedFindings).meta({ id: 'FindingsExportAnswer' });

const FindingsExportQueued = queuedExport(ExportedFindings).meta({ id: 'FindingsExportQueued' });

export const findingExportRoutes = defineRoutes({
  exportFindings: post(path, {
    summary: 'Export findings as CSV, JSON lines, SARIF or VEX',
    description:
      'A queued task writes all findings that fit `filter` (the filters of the list, and `search`) into a file of any size, newest ' +
      `first. \`GET ${path}/{taskId}\` answers the address of the file; this answer has the address too, if the file is written ` +
      'within `waitSeconds`. In a CSV, a cell that a spreadsheet would read as a formula begins with an apostrophe, and semicolons ' +
      'separate several values of a cell. SARIF has a run for each tool, decisions (false positive, accepted risk, out of scope) ' +
      'as suppressions, and fixed findings as `absent`. OpenVEX has a statement for each vulnerability of each finding: ' +
      '`under_investigation` until a person triages the finding, then `affected`, `not_affected` (false positive, out of scope) or ' +
      '`fixed`. A file with applications or tags of assets waits for rules about assets that are being applied ' +
      '(`progress.waitsFor`).',
    access: reads('findings:read'),
    inPart: 'seen',
    readOnly: true,
    query: z.object({ waitSeconds: WaitSeconds }),
    body: FindingsExport,
    response: FindingsExportQueued,
  }),
  getFindingsExport: get(`${path}/{taskId}`, {
    summary: 'Get the state of an export of findings and the address of its file',
    description:
      'The address works for 15 minutes and needs no credential; `waitSeconds` waits for the end of the export. The file is ' +
      `removed after ${EXPORT_DAYS} days.`,
    access: reads('findings:read'),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    response: FindingsExportAnswer,
  }),
});
