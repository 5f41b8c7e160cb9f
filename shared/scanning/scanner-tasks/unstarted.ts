import { MAX_ATTEMPTS } from './moves.ts';
import type { ScannerTask } from './scanner-task.ts';

/** The state of a task before its first scanner. */
export const UNSTARTED = {
  status: 'pending',
  attempt: 0,
  maxAttempts: MAX_ATTEMPTS,
  scanner: null,
  progress: null,
  leaseExpiresAt: null,
  cancelRequestedAt: null,
  startedAt: null,
  finishedAt: null,
  error: null,
  ingestTaskId: null,
  ingestTaskIds: [],
} satisfies Partial<ScannerTask>;
