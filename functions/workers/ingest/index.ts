import { FINDING_COLLECTIONS } from '#shared/findings/view/find.ts';
import { type Work, type WorkerOptions, workerHandler } from '#shared/platform/jobs/worker.ts';
import { wakeViewsSoon } from '#shared/platform/views/wake.ts';
import { applyRule } from '../changes/apply-rule.ts';
import { applyAssetChange } from '../changes/asset-change.ts';
import { followCredential, undoCredentialsUpdate, updateCredentials } from '../changes/credentials.ts';
import { deleteAssetFindings } from '../changes/delete-asset.ts';
import { endBranch } from '../changes/end-branch.ts';
import { linkRemediation } from '../changes/link.ts';
import { mergeAssets } from '../changes/merge/merge-assets.ts';
import { undoMerge } from '../changes/merge/undo-merge.ts';
import { redateFindings } from '../changes/redate.ts';
import { rescoreFindings } from '../changes/rescore.ts';
import { settleRestored } from '../changes/restored/restored.ts';
import { retireAssets } from '../changes/retire-assets.ts';
import { returnAssets } from '../changes/return-assets.ts';
import { undoAlertsUpdate, undoIncidentsUpdate, updateAlerts, updateIncidents } from '../changes/soc.ts';
import { undoFindingsUpdate } from '../changes/undo.ts';
import { updateFindings } from '../changes/update.ts';
import { followVulnerabilities, undoVulnerabilitiesUpdate, updateVulnerabilities } from '../changes/vulnerabilities.ts';
import { giveUp, wakeNext } from '../imports/finish.ts';
import { runIngest } from '../imports/run.ts';
import { removeReport } from '../imports/sent-report.ts';
import { Input } from '../imports/session.ts';
import { undoImport } from '../imports/undo/undo-import.ts';
import { results } from './results.ts';

type Operation = Omit<WorkerOptions, 'results'> & { run: (work: Work) => Promise<Record<string, unknown> | undefined> };

const imports: Operation = {
  run: runIngest,
  async finished(work) {
    await wakeNext(work, Input.parse(work.task.input).scope);
    await removeReport(work);
  },
  deadLettered: (work) => giveUp(work, Input.parse(work.task.input).scope),
};

/** Works that change many findings of an organization, one after the other: none fails for the sake of another. */
const operations: Record<keyof typeof results, Operation> = {
  ingest_report: imports,
  close_held_findings: imports,
  redate_findings: { run: redateFindings },
  rescore_findings: { run: rescoreFindings },
  apply_asset_change: { run: applyAssetChange },
  undo_import: { ...imports, run: undoImport },
  delete_asset: { run: deleteAssetFindings },
  retire_assets: { run: retireAssets },
  return_assets: { run: returnAssets },
  merge_assets: { run: mergeAssets },
  undo_asset_merge: { run: undoMerge },
  end_branch: { run: endBranch },
  update_findings: { run: updateFindings },
  undo_findings_update: { run: undoFindingsUpdate },
  update_vulnerabilities: { run: updateVulnerabilities },
  undo_vulnerabilities_update: { run: undoVulnerabilitiesUpdate },
  follow_vulnerabilities: { run: followVulnerabilities },
  follow_credential: { run: followCredential },
  update_exposed_credentials: { run: updateCredentials },
  undo_exposed_credentials_update: { run: undoCredentialsUpdate },
  update_alerts: { run: updateAlerts },
  undo_alerts_update: { run: undoAlertsUpdate },
  update_incidents: { run: updateIncidents },
  undo_incidents_update: { run: undoIncidentsUpdate },
  apply_suppression_rule: { run: applyRule },
  link_remediation: { run: linkRemediation },
  maintenance_restored: { run: settleRestored },
};

function operationOf({ task }: Work): Operation {
  const known: Partial<Record<string, Operation>> = operations;
  const operation = known[task.operation];
  if (!operation) throw new Error(`an operation ${task.operation}, which nobody works`);
  return operation;
}

async function run(work: Work): Promise<Record<string, unknown> | undefined> {
  const result = await operationOf(work).run(work);
  // not before the end: a long import would share its time with the views
  if (result) await wakeViewsSoon(work);
  return result;
}

export const handler = workerHandler('ingest', run, {
  results,
  finished: async (work) => operationOf(work).finished?.(work),
  async deadLettered(work) {
    await operationOf(work).deadLettered?.(work);
    for (const entity of FINDING_COLLECTIONS) await work.table.workJournal(entity);
  },
});
