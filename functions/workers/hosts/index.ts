import { byOperation, workerHandler } from '#shared/platform/jobs/worker.ts';
import { results } from './results.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { syncIntegration } from './sync.ts';
import { tellImport } from './tell-import.ts';
import { tellScan } from './tell-scan.ts';

const run = byOperation({
  sync_integration: syncIntegration,
  tell_scan: tellScan,
  tell_import: tellImport,
  revoke_clone_tokens: revokeTokens,
});

export const handler = workerHandler('hosts', run, { results });
