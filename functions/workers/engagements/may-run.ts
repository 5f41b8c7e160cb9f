import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Engagement } from '#shared/scanning/engagements/engagement.ts';
import { beyondBounds } from '#shared/scanning/scan-credentials/bounds.ts';
import { type ScanCredential, scanCredentials } from '#shared/scanning/scan-credentials/scan-credential.ts';
import { assertSpelled } from '#shared/scanning/scanner-tasks/check-scope.ts';
import { exploitingParameters } from '#shared/scanning/scanners/scan-parameters.ts';

/**
 * Checks a stored engagement by the rules of today, before its run makes a task: it may be older than they are.
 * @throws validation_failed, conflict
 */
export async function assertMayRun(table: Table, engagement: Engagement): Promise<void> {
  assertSpelled(engagement);
  const [exploiting] = engagement.rulesOfEngagement.allowExploitation
    ? []
    : exploitingParameters(engagement.parameters);
  if (exploiting) throw invalid(exploiting.path, exploiting.message);
  const { credentialIds, approvedCredentialIds = [] } = engagement;
  const credentials: ScanCredential[] = await table.findMany(scanCredentials, credentialIds);
  const stray = beyondBounds(credentials, engagement).find(({ id }) => !approvedCredentialIds.includes(id));
  if (!stray) return;
  const asked = `The credential ${stray.name} is not bound to all targets for which this engagement would release it.`;
  throw conflict(`${asked} Add them to its targets, or send the engagement's credentialIds again for a decision.`);
}
