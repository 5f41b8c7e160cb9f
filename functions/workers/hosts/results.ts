import * as z from 'zod';
import type { Results } from '#shared/platform/jobs/results.ts';

/** `inaccessible`: known before, and not shown by the host any more. */
const SyncResult = z.object({ repositories: z.int(), inaccessible: z.int() }).meta({ id: 'SyncResult' });
export type SyncResult = z.infer<typeof SyncResult>;

const TellResult = z.object({ state: z.enum(['pending', 'passed', 'failed', 'cancelled']) }).meta({ id: 'TellResult' });
export type TellResult = z.infer<typeof TellResult>;

const RevokeResult = z.object({ revoked: z.int() }).meta({ id: 'RevokeResult' });
export type RevokeResult = z.infer<typeof RevokeResult>;

export const results = {
  sync_integration: SyncResult,
  tell_scan: TellResult,
  tell_import: TellResult,
  revoke_clone_tokens: RevokeResult,
} satisfies Results;
