import type { RoleArea } from '../auth/levels.ts';
import { areaOfScope, type Caller, levelIn, type Scope } from '../auth/permissions.ts';

const findings = ['findings:read', 'findings:write'] as const;
const vulnerabilities = ['vulnerabilities:read', 'vulnerabilities:write'] as const;
const soc = ['soc:read', 'soc:write'] as const;
const scans = ['scans:trigger'] as const;
const ticketing = ['jira:read', 'jira:write'] as const;

/** The operations that leave a task, with the API scopes that may read it. */
const OPERATIONS = {
  ingest_report: findings,
  close_held_findings: findings,
  update_findings: findings,
  undo_findings_update: findings,
  preview_change: [],
  apply_suppression_rule: findings,
  link_remediation: findings,
  export_findings: findings,
  export_assets: ['assets:read'],
  export_events: soc,
  export_vulnerabilities: vulnerabilities,
  make_report: ['reports:read', 'reports:write'],
  redate_findings: findings,
  rescore_findings: findings,
  rescore_vulnerabilities: vulnerabilities,
  retag_vulnerabilities: vulnerabilities,
  update_vulnerabilities: vulnerabilities,
  undo_vulnerabilities_update: vulnerabilities,
  follow_vulnerabilities: vulnerabilities,
  follow_credential: findings,
  update_exposed_credentials: findings,
  undo_exposed_credentials_update: findings,
  update_alerts: soc,
  undo_alerts_update: soc,
  update_incidents: soc,
  undo_incidents_update: soc,
  place_alerts: soc,
  import_detection_rules: soc,
  apply_asset_change: findings,
  apply_asset_rules: ['assets:read'],
  retire_assets: findings,
  return_assets: findings,
  undo_import: findings,
  delete_asset: findings,
  merge_assets: findings,
  undo_asset_merge: findings,
  end_branch: findings,
  hand_over: [],
  create_engagement: scans,
  approve_engagement: scans,
  reject_engagement: scans,
  cancel_engagement: scans,
  complete_engagement: scans,
  run_engagement: scans,
  open_windows: scans,
  scan_branch: scans,
  complete_scanner_task: scans,
  run_apex_campaign: scans,
  stop_all_apex: scans,
  complete_response_action: soc,
  complete_apex_task: scans,
  report_apex_findings: scans,
  apex_llm_completion: scans,
  maintenance_rekey: [],
  maintenance_verify: [],
  maintenance_views: [],
  maintenance_restored: [],
  delete_organization: [],
  copy_organization: [],
  restore_organization: [],
  audit_verify: [],
  receive_delivery: [],
  sync_integration: [],
  tell_scan: [],
  tell_import: [],
  revoke_clone_tokens: [],
  receive_billing_event: [],
  sync_ticket: ticketing,
  poll_tickets: [],
  receive_ticket_event: [],
  apply_ticket_rule: ticketing,
  send_letter: [],
  send_sign_in_link: [],
  send_sign_up_letter: [],
} as const satisfies Record<string, readonly Scope[]>;
export type Operation = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as [Operation, ...Operation[]];

type Owned = { owner: string; operation: string };

/**
 * Whether the caller may read a task of its organization. A caller reads its own tasks. People and service accounts
 * read the tasks of the areas of their role, an API key the tasks of operations in its API scopes, machines and staff no others.
 */
export function mayReadTask(caller: Caller, { owner, operation }: Owned): boolean {
  if (owner === caller.id) return true;
  if (caller.kind === 'machine') return false;
  const scopes: readonly Scope[] = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation as Operation] : [];
  if (caller.kind === 'api_key') return scopes.some((scope) => caller.scopes.includes(scope));
  const areas: RoleArea[] = scopes.length > 0 ? scopes.map(areaOfScope) : ['organization'];
  return areas.some((area) => levelIn(caller, area) !== 'none');
}

/** The tasks that a list shows the caller: the tasks of some operations, or only its own. */
export function readableTasks(caller: Caller): { operations: readonly Operation[]; owner?: string } {
  const operations = OPERATION_NAMES.filter((operation) => mayReadTask(caller, { owner: '', operation }));
  return operations.length > 0 ? { operations } : { operations: OPERATION_NAMES, owner: caller.id };
}
