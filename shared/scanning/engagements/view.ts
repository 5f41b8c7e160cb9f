import { Engagement } from './engagement.ts';

/** An engagement in lists, without the long fields. */
export const EngagementListItem = Engagement.omit({
  description: true,
  targets: true,
  exclusions: true,
  parameters: true,
  rulesOfEngagement: true,
  retestOf: true,
  findings: true,
  approvedCredentialIds: true,
}).meta({ id: 'EngagementListItem' });
