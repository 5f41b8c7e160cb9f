import * as z from 'zod';
import { Id, objectNamed } from '#shared/platform/http/records.ts';
import type { Results } from '#shared/platform/jobs/results.ts';
import { CodeTaskType } from '#shared/scanning/scanner-tasks/code-scan.ts';

/** The scanner tasks of a requested scan: new tasks, and earlier tasks of the same commit. */
const ScanBranchResult = objectNamed('ScanBranchResult', {
  commit: z.string().nullable(),
  scannerTasks: z.array(z.object({ id: Id, type: CodeTaskType })),
});

export const results = { scan_branch: ScanBranchResult } satisfies Results;
