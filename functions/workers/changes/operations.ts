import { applyRule } from './apply-rule.ts';
import { applyAssetChange } from './asset-change.ts';
import { previewAssetRules } from './asset-rules.ts';
import { followCredential, undoCredentialsUpdate, updateCredentials } from './credentials.ts';
import { deleteAssetFindings } from './delete-asset.ts';
import { endBranch } from './end-branch.ts';
import { handOverAll } from './hand-over.ts';
import { linkRemediation } from './link.ts';
import { mergeAssets } from './merge/merge-assets.ts';
import { undoMerge } from './merge/undo-merge.ts';
import { redateFindings } from './redate.ts';
import { rescoreFindings } from './rescore.ts';
import { settleRestored } from './restored/restored.ts';
import { retireAssets } from './retire-assets.ts';
import { previewReturn, returnAssets } from './return-assets.ts';
import { importRulePack } from './rule-pack/import.ts';
import { undoAlertsUpdate, undoIncidentsUpdate, updateAlerts, updateIncidents } from './soc.ts';
import { undoFindingsUpdate } from './undo.ts';
import { updateFindings } from './update.ts';
import { followVulnerabilities, undoVulnerabilitiesUpdate, updateVulnerabilities } from './vulnerabilities.ts';

/** Changes of many records of an organization, and of the findings that follow these records. */
export const changes = {
  redate_findings: redateFindings,
  rescore_findings: rescoreFindings,
  apply_asset_change: applyAssetChange,
  delete_asset: deleteAssetFindings,
  retire_assets: retireAssets,
  return_assets: returnAssets,
  merge_assets: mergeAssets,
  undo_asset_merge: undoMerge,
  end_branch: endBranch,
  update_findings: updateFindings,
  undo_findings_update: undoFindingsUpdate,
  update_vulnerabilities: updateVulnerabilities,
  undo_vulnerabilities_update: undoVulnerabilitiesUpdate,
  follow_vulnerabilities: followVulnerabilities,
  follow_credential: followCredential,
  update_exposed_credentials: updateCredentials,
  undo_exposed_credentials_update: undoCredentialsUpdate,
  update_alerts: updateAlerts,
  undo_alerts_update: undoAlertsUpdate,
  update_incidents: updateIncidents,
  undo_incidents_update: undoIncidentsUpdate,
  import_detection_rules: importRulePack,
  apply_suppression_rule: applyRule,
  link_remediation: linkRemediation,
  hand_over: handOverAll,
  maintenance_restored: settleRestored,
};

/** The works that previews try. */
export const previewed = { ...changes, apply_asset_rules: previewAssetRules, return_assets: previewReturn };
