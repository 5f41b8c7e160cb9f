import { type Work, workerHandler } from '#shared/platform/jobs/worker.ts';
import { results } from './results.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { syncIntegration } from './sync.ts';
import { tellScan } from './tell-scan.ts';

const works = { sync_integration: syncIntegration, tell_scan: tellScan, revoke_clone_tokens: revokeTokens };

const isKnown = (operation: string): operation is keyof typeof works => Object.hasOwn(works, operation);

export const handler = workerHandler('hosts', run, { results });

/** @throws when no release that runs knows the operation: the message comes again */
async function run(work: Work) {
  const { operation } = work.task;
  if (!isKnown(operation)) throw new Error(`the operation ${operation}, which nobody works`);
  return works[operation](work);
}
