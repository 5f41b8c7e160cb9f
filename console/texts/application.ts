import { amountOf, count } from './amounts.ts';

export const application = {
  one: 'application',
  many: 'applications',
  filterHint: 'criticality:critical',
  empty: 'No applications yet',
  emptyHint:
    'An application groups the assets that serve one purpose. Rules link new assets to it. The API makes one from a name.',
  columns: { title: 'Application', criticality: 'Criticality', assets: 'Assets', owner: 'Owner', exposed: 'Internet' },
  exposed: 'exposed',
  internal: 'internal',
  owner: 'Owner',
  ownerChanged: 'The owner is changed.',
  noDescription: 'Nobody has described the application.',
  risk: 'Risk',
  grade: (grade: string, score: number) => `Grade ${grade}, ${score} of 100`,
  overdue: 'Overdue',
  kev: 'Known to be exploited',
  noAssets: 'No asset is linked. Write a rule below.',
  rules: {
    title: 'Rules',
    none: 'No rule links assets.',
    matches: (amount: number) => amountOf(amount, 'asset', 'assets'),
    off: 'off',
    make: 'A new rule',
    name: 'Name of the rule',
    condition: 'Assets that fit this filter, for example: tag:payments type:host',
    preview: (matched: number, newly: number) =>
      `${amountOf(matched, 'asset fits', 'assets fit')}, ${count(newly)} would be linked.`,
    incomplete: 'More may fit: the preview looks at the first ones.',
    add: 'Make the rule',
    added: 'The rule is made. It links its assets in a moment.',
  },
};
