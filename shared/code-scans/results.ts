import * as z from 'zod';
import { CodeTaskType } from '../entities/code-scan.ts';
import { Id } from '../http/records.ts';
import type { Results } from '../jobs/results.ts';

/** The scanner tasks of a scan that was asked for: those that were made, and those of the same commit that stood already. */
const ScanBranchResult = z
  .object({
    commit: z.string().nullable(),
    scannerTasks: z.array(z.object({ id: Id, type: CodeTaskType })),
  })
  .meta({ id: 'ScanBranchResult' });

export const results = { scan_branch: ScanBranchResult } satisfies Results;
