import { admin, adminOf, manager, orStaff, reads, readsScans } from '#shared/platform/auth/access.ts';
import { type Access, type Caller, isAllowed } from '#shared/platform/auth/permissions.ts';
import type { RecordChange } from '#shared/platform/table/changes.ts';

/** The entities of the change feed, each with the access that its records need; a test compares both lists. */
export const READABLE_BY = {
  alert: reads('soc:read'),
  'alert-comment': reads('soc:read'),
  agent: reads('assets:read'),
  'apex-appliance': orStaff('manager', readsScans),
  'apex-campaign': readsScans,
  'apex-task': readsScans,
  'api-key': admin,
  application: reads('assets:read'),
  'approval-request': admin,
  'application-exclusion': reads('assets:read'),
  'application-rule': reads('assets:read'),
  asset: reads('assets:read'),
  'asset-tag-rule': reads('assets:read'),
  'billing-account': admin,
  branch: reads('findings:read'),
  'branch-finding': reads('findings:read'),
  'breach-record': reads('findings:read'),
  'code-branch': reads('assets:read'),
  collector: adminOf('soc'),
  'detection-rule': reads('soc:read'),
  engagement: readsScans,
  'engagement-note': readsScans,
  'exposed-credential': reads('findings:read'),
  feed: { role: 'viewer' },
  finding: reads('findings:read'),
  'finding-comment': reads('findings:read'),
  identity: reads('soc:read'),
  'identity-provider': admin,
  import: reads('findings:read'),
  incident: reads('soc:read'),
  integrator: adminOf('soc'),
  integration: { role: 'viewer' },
  'link-token': admin,
  organization: orStaff('manager', admin),
  'organization-limits': admin,
  'organization-settings': { role: 'viewer' },
  'organization-deletion': orStaff('platform_owner', admin),
  'public-scanner-group': manager,
  'merge-suggestion': reads('assets:read'),
  remediation: reads('findings:read'),
  report: reads('reports:read'),
  'report-schedule': reads('reports:read'),
  'report-template': reads('reports:read'),
  repository: reads('assets:read'),
  'response-action': reads('soc:read'),
  'retired-finding': reads('findings:read'),
  'scan-credential': adminOf('scanning'),
  role: orStaff('manager', { role: 'viewer' }),
  scanner: orStaff('manager', readsScans),
  'scanner-group': readsScans,
  'scim-group': admin,
  'secret-release': adminOf('scanning'),
  'service-account': orStaff('manager', admin),
  'siem-source': reads('soc:read'),
  'sla-policies': reads('findings:read'),
  'support-grant': admin,
  'suppression-rule': reads('findings:read'),
  team: { role: 'viewer' },
  ticket: reads('jira:read'),
  'ticket-comment': reads('jira:read'),
  'ticket-rule': reads('jira:read'),
  'ticketing-connection': { role: 'viewer', area: 'ticketing' },
  'trusted-publisher': admin,
  user: { role: 'viewer' },
  vulnerability: reads('vulnerabilities:read'),
  'webhook-endpoint': admin,
  'work-entry': readsScans,
  zone: reads('assets:read'),
} as const satisfies Record<string, Access>;

type FeedEntity = keyof typeof READABLE_BY;
export const FEED_ENTITIES = Object.keys(READABLE_BY) as [FeedEntity, ...FeedEntity[]];

/** Shows a caller the changes of records that it may read. A change of an entity that this release does not know is shown to nobody. */
export const isVisible = (caller: Caller, { entity }: RecordChange): boolean => {
  const access: Access | undefined = READABLE_BY[entity as FeedEntity];
  return access !== undefined && isAllowed(caller, access);
};
