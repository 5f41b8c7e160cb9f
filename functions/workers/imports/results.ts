import * as z from 'zod';
import { Refused } from '#shared/findings/bulk/decision.ts';
import { incomplete } from '#shared/ingest/imported-report.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import type { Results } from '#shared/platform/jobs/results.ts';
import { Comparison } from '#shared/reports/report/comparison.ts';
import { FindingChanges } from '#shared/scanning/engagements/finding-changes.ts';

/** How many findings an import has changed. */
export const Counts = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  closed: z.int(),
  reopened: z.int(),
});

const HeldClosingResult = Counts.extend({
  rejected: z
    .array(z.object({ reason: z.string(), where: z.string() }))
    .meta({ description: 'the first entries that cannot be used' }),
  rejectedCount: z.int(),
}).meta({ id: 'HeldClosingResult' });

const ImportResult = HeldClosingResult.extend({
  incomplete,
  repeated: z
    .int()
    .optional()
    .meta({ description: 'entries that repeat another entry of the report: each adds to that finding' }),
  settled: z.int().optional().meta({
    description: 'findings that are `false_positive` by a statement of the report (VEX)',
  }),
  vex: z
    .object({
      author: z.string().meta({ description: 'the author of the document, who decides' }),
      version: z.string().nullable(),
      statements: z.int(),
      named: z.int().meta({ description: 'findings that the statements name, whatever became of them' }),
      released: z.int().meta({ description: 'findings that have their former status again' }),
      kept: z
        .int()
        .meta({ description: 'findings that stay as a person, a rule or another document decided, or fixed' }),
      unproven: z.int().meta({
        description:
          'findings that stay open: fixed in another version than theirs, or only one of their vulnerabilities is named',
      }),
      later: z.boolean().meta({ description: 'findings that come later are compared with the document, too' }),
      outdated: z
        .boolean()
        .meta({ description: 'a later version of the document was applied before, so nothing changed' }),
    })
    .optional()
    .meta({ description: 'the effect of statements about exploitability (VEX)' }),
  comparison: Comparison,
  defaultUnknown: z
    .literal(true)
    .optional()
    .meta({ description: 'the default branch of the repository is not known, so all findings of the branch are new' }),
  bySeverity: FindingChanges,
  held: z
    .object({
      count: z.int(),
      open: z.int().meta({ description: 'all that were open of the scan scope' }),
      apart: z.literal(true).optional().meta({
        description:
          'the report has no file in the folders of these findings: it may be of another part of the repository',
      }),
    })
    .optional()
    .meta({ description: 'findings whose closing waits until someone confirms it' }),
}).meta({ id: 'ImportResult' });

const UndoneImportResult = objectNamed('UndoneImportResult', {
  deleted: z.int(),
  opened: z.int(),
  fixed: z.int(),
  restored: z.int().meta({ description: 'findings whose texts and severity from before the import were restored' }),
  unrestored: z.int().meta({
    description:
      'findings that keep the texts and severity of the import, because another report or a person changed or confirmed them',
  }),
  released: z.int().meta({ description: 'findings that a VEX document had settled; they have their former status' }),
  inventory: z
    .object({ removed: z.int(), kept: z.int() })
    .meta({ description: 'assets that lost the services and software of the import, and assets that keep them' }),
  assets: z
    .object({ deleted: z.int(), kept: z.int() })
    .meta({ description: 'assets that the import created; those that nothing else reports or changed are deleted' }),
  kept: z.array(Refused).meta({ description: 'the first 50 that stay, with the reason' }),
  keptCount: z.int(),
});

export const results = {
  ingest_report: ImportResult,
  close_held_findings: HeldClosingResult,
  undo_import: UndoneImportResult,
} satisfies Results;
