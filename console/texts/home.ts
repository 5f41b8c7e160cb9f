import { amountOf, count, findings } from './amounts.ts';

export const home = {
  verdict: {
    overdue: (overdue: number, critical: number) =>
      `${findings(overdue)} ${overdue === 1 ? 'is' : 'are'} overdue${critical > 0 ? `, and ${count(critical)} critical ${critical === 1 ? 'one is' : 'ones are'} open` : ''}.`,
    critical: (critical: number) =>
      `${amountOf(critical, 'critical finding is', 'critical findings are')} open. Nothing is overdue.`,
    open: (open: number) => `No critical finding is open, and nothing is overdue. ${count(open)} less severe wait.`,
    clear: 'Nothing is open. Every known finding is fixed or decided.',
  },
  direction: {
    worse: (opened: number, fixed: number) =>
      `In the last seven days ${count(opened)} came and ${count(fixed)} went: it is getting worse.`,
    better: (opened: number, fixed: number) =>
      `In the last seven days ${count(opened)} came and ${count(fixed)} went: it is getting better.`,
    same: (opened: number) => `In the last seven days as many came as went: ${count(opened)}.`,
    first: 'Every known finding came in the last seven days.',
    none: 'Nothing changed in the last seven days.',
  },
  figures: {
    label: 'Figures',
    open: 'open findings',
    overdue: 'overdue',
    kev: 'known to be exploited',
    likely: 'likely to be exploited',
    opened: 'new in 7 days',
    fixed: 'fixed in 7 days',
    exposed: 'assets on the internet',
    unowned: 'assets without an owner',
  },
  bySeverity: 'Open by severity',
  fixFirst: 'Fix first',
  allByPriority: 'All by priority',
  allFixes: 'All upgrades',
  fixes: 'Upgrades that close the most',
  noFixes: 'No upgrade is known that closes a vulnerability.',
  fix: (component: string, version: string | null) =>
    version ? `Upgrade ${component} to ${version}` : `Upgrade ${component}`,
  fixEffect: (closes: number, assets: number) =>
    `closes ${amountOf(closes, 'vulnerability', 'vulnerabilities')} on ${amountOf(assets, 'asset', 'assets')}`,
  riskiest: 'Riskiest assets',
  allByRisk: 'All by risk',
  noRisk: 'No asset has an open finding.',
  tooManyToRank: 'There are too many assets to compare all of them by risk: a part of them can be.',
  critical: 'Critical assets by risk',
  exposed: 'Assets on the internet by risk',
  allAssets: 'All assets, newest first',
  dueSoon: 'Due in seven days',
  acceptancesEnd: 'Acceptances that end within thirty days',
  nothingDue: 'Nothing is due in the next seven days.',
  broken: 'Broken connections',
  nothingBroken: 'Every connection works.',
  noConnections: 'No system is connected yet.',
  since: (time: string) => `since ${time}`,
  trend: 'Thirty days',
  trendLabel: (opened: number, fixed: number) =>
    `In thirty days ${count(opened)} findings came or returned, and ${count(fixed)} were fixed.`,
  came: 'came or returned',
  went: 'fixed',
  meanTimes: {
    title: 'How long it takes',
    lead: 'Means of this month and the two before; what is open counts until now.',
    none: 'Nothing is open, and nothing was resolved.',
    kinds: { findings: 'Findings', vulnerabilities: 'Vulnerabilities', alerts: 'Alerts', incidents: 'Incidents' },
    acknowledged: (time: string) => `acknowledged after ${time}`,
    resolved: (time: string) => `resolved after ${time}`,
    open: (amount: number) => `${count(amount)} open`,
    openFor: (time: string) => `for ${time}`,
    faster: (part: string) => `${part} faster in 30 days`,
    slower: (part: string) => `${part} slower in 30 days`,
    time: (seconds: number) => {
      if (seconds < 3_600) return amountOf(Math.round(seconds / 60), 'minute', 'minutes');
      if (seconds < 2 * 86_400) return amountOf(Math.round(seconds / 3_600), 'hour', 'hours');
      return amountOf(Math.round(seconds / 86_400), 'day', 'days');
    },
  },
};

export const welcome = {
  title: 'Bring in the first results',
  lead: 'Nothing is known yet. Start with any of these: the first takes a minute.',
  example: 'Load the example',
  exampleHint: 'Small reports of six tools, to look around. Undo their imports when you have seen enough.',
  codeHost: 'Connect a code host',
  codeHostHint: 'GitHub and GitLab send their code scans and alerts.',
  scanner: 'Link a scanner',
  scannerHint: 'A scanner links once with a token, and then scans and reports for years.',
  begin: 'Begin',
  beginWith: (title: string) => `Begin: ${title}`,
};
