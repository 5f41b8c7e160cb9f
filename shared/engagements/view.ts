import { Engagement } from '../entities/engagement.ts';

/** A list item: without the long fields. */
export const EngagementListItem = Engagement.omit({
  description: true,
  targets: true,
  exclusions: true,
  parameters: true,
  rulesOfEngagement: true,
  retestOf: true,
  findings: true,
}).meta({ id: 'EngagementListItem' });
