import { amountOf, count, findings } from './amounts.ts';

const assets = (amount: number) => amountOf(amount, 'asset', 'assets');

/** The texts of the screens of compliance, which come with these screens. */
export const compliance = {
  views: 'Frameworks or controls',
  frameworks: 'Frameworks',
  lead: 'What scans can show about controls of frameworks. It is no audit: a framework has much that no scan sees.',
  failing: (amount: number) => `${amountOf(amount, 'control fails', 'controls fail')}`,
  allWell: 'No control fails.',
  unknown: 'Nothing is assessed yet. Import reports of scanners: their checks decide.',
  change: (change: number) =>
    change === 0
      ? 'As many as 30 days ago.'
      : `${count(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than 30 days ago.`,
  group: {
    label: 'Assets that count',
    zone: 'Zone',
    applicationId: 'Application',
    assetType: 'Type of asset',
    all: (name: string) => `${name}: all`,
  },
  columns: {
    framework: 'Framework',
    score: 'Passed of the assessed',
    passed: 'Passed',
    failed: 'Failed',
    notAssessed: 'Not assessed',
    exceptions: 'By accepted risks alone',
  },
  score: (score: number | null) => (score === null ? '–' : `${score}%`),
  framework: {
    state: 'Controls',
    show: (amount: number) => `Show all ${count(amount)} controls`,
    scope: 'What is assessed',
    publisher: 'Publisher',
    source: 'Identifiers from',
    compared: 'Compared with',
    assets: 'Assets that count',
    noAssets: 'No asset is known yet.',
  },
};

export const control = {
  one: 'control',
  many: 'controls',
  empty: 'No controls',
  emptyHint: 'The service knows the controls of its frameworks always: this list cannot be empty without a filter.',
  columns: { title: 'Control', status: 'State', framework: 'Framework', open: 'Open', accepted: 'Accepted' },
  statuses: { passed: 'Passed', failed: 'Failed', notAssessed: 'Not assessed' },
  exceptions: 'Accepted risks alone',
  exceptionsOnly: 'Only accepted risks fail it',
  next: {
    fix: (amount: number) => `Fix ${findings(amount)}`,
    decide: (amount: number) => `Only accepted risks fail it: look at ${findings(amount)} again when they end.`,
    passed: 'Nothing to do: tools looked in the last 90 days and found nothing.',
    look: 'Bring in what is missing below. Until then the result is unknown.',
    unprovable: 'No tool proves that this is right. It fails by findings, and passes never.',
  },
  criteria: 'What decides',
  openOf: (amount: number) => `${count(amount)} open`,
  acceptedOf: (amount: number) => `${count(amount)} accepted`,
  nothing: 'no findings',
  passedOn: (amount: number) => `passed on ${assets(amount)}`,
  passedInCode: (amount: number) => `passed in the code of ${amountOf(amount, 'repository', 'repositories')}`,
  neverPassed: 'No report says that it passed.',
  looked: (type: string, seen: number, all: number) => `${type}: tools looked at ${count(seen)} of ${count(all)}`,
  missing: (type: string, looks: string) => `${type}: no tool looked. Scan for ${looks}.`,
  noTool: (type: string) => `${type}: no tool can prove it.`,
  looks: {
    code: 'code',
    secrets: 'secrets',
    dependencies: 'dependencies',
    web: 'web',
    host: 'hosts',
    ports: 'ports',
    tls: 'TLS',
    cloud: 'cloud',
    cluster: 'clusters',
    infrastructure_code: 'infrastructure code',
  },
  or: ' or ',
  evidence: 'Findings that fail it',
  noFindings: 'No finding fails it.',
  scans: 'Assets that tools looked at',
  noScans: 'No tool looked at an asset for this control.',
  lookOf: (tool: string, day: string) => `${tool}, ${day}`,
  frameworkPage: (name: string, version: string) => `${name} ${version}`,
};
