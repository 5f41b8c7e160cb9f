import { amountOf, count } from './amounts.ts';

/** The texts of planning engagements and campaigns, which come with their screens. */
export const schedule = {
  startAt: 'Starts',
  startAtHint: 'Empty: as soon as it is approved.',
  recurrence: 'Repeats',
  recurrences: {
    '': 'Never',
    'FREQ=DAILY': 'Every day',
    'FREQ=WEEKLY': 'Every week',
    'FREQ=MONTHLY': 'Every month',
  } as Readonly<Record<string, string>>,
};

export const engagementForm = {
  add: 'Plan an engagement',
  saved: 'The engagement is changed.',
  title: 'Title',
  kind: 'Kind',
  description: 'What it is for',
  targets: 'Targets',
  targetsHint:
    'One in a line: shop.example.com, 10.0.0.0/24, https://shop.example.com. A type before it and a zone after it are clear too: host 10.0.0.5 office',
  exclusions: 'Never touched',
  taskTypes: 'Scans',
  taskTypesHint: 'None: people do the work, and no scanner.',
  where: 'Scanners',
  whereHint: 'An administrator approves scans by the provider.',
  ownScanners: 'Own scanners of the zone',
  groupOf: (name: string) => `Group ${name}`,
  poolOf: (name: string) => `Provider: ${name}`,
  credentials: 'Credentials',
  intensity: 'Intensity',
  intensities: { passive: 'Passive', low: 'Low', normal: 'Normal', high: 'High' },
  days: 'Only on these days',
  dayNames: { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' },
  from: 'From, such as 22:00',
  to: 'To, such as 05:00',
  exploitation: 'Vulnerabilities may be exploited',
  exploitationHint: 'An administrator has to approve it before it starts.',
  reference: 'Authorization',
  contacts: 'In an emergency',
  contactsHint: 'Separated by commas',
  notes: 'Rules in words',
  dueAt: 'Due on',
  preview: {
    start: 'Type a target to see what is scanned.',
    scanned: (targets: number) => `${amountOf(targets, 'target', 'targets')}:`,
    more: (amount: number) => `and ${count(amount)} more`,
    except: (amount: number) => `${amountOf(amount, 'exclusion', 'exclusions')} never touched.`,
    from: (addresses: string) => `The scans come from ${addresses}.`,
  },
};

export const campaignForm = {
  add: 'Plan a campaign',
  saved: 'The campaign is changed.',
  removed: 'The campaign is deleted. Its tasks stay.',
  name: 'Name',
  objective: 'What it is to find out',
  engagement: 'Engagement',
  engagementHint: 'It gives the targets and the rules.',
  noEngagement: 'Plan an engagement first: a campaign works on its targets.',
  types: 'Tasks',
  typesHint: 'They run in this order.',
  typeNames: {
    reconnaissance: 'Reconnaissance',
    discovery: 'Discovery',
    vulnerability_validation: 'Validation of vulnerabilities',
    web_testing: 'Web testing',
    configuration_review: 'Review of the configuration',
    retest: 'Retest',
    exploitation: 'Exploitation',
    credential_access: 'Access to credentials',
    privilege_escalation: 'Escalation of privileges',
    lateral_movement: 'Lateral movement',
    exfiltration: 'Exfiltration',
    social_engineering: 'Social engineering',
    reporting: 'Report',
  },
  scope: (tasks: number, targets: number) =>
    tasks === 0
      ? 'Choose the tasks that work on these targets:'
      : `${amountOf(tasks, 'task works', 'tasks work')} on ${amountOf(targets, 'target', 'targets')}:`,
  usePublicApex: 'Appliances of the provider may work on it',
  zone: 'Zone of the appliances',
  maxTasks: 'Tasks at most',
  maxTokens: 'Tokens of the model at most',
  stop: 'It stops when a task fails',
};

export const calendar = {
  views: 'Engagements as a list or a calendar',
  month: 'Month',
  before: 'The month before',
  after: 'The month after',
  today: 'Today',
  none: 'Nothing is planned in this month',
  noneHint: 'Engagements and campaigns with a start, a window or a due day appear here.',
  truncated: 'More is planned than the calendar shows.',
  kinds: { start: 'Starts', window: 'May run', due: 'Due', campaign: 'Campaign' },
  weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  more: (amount: number) => `${count(amount)} more`,
  subscribe: 'Subscribe',
  subscribeLead:
    'A calendar program reads your calendar at a secret address. A new address ends the one before. Everybody with the address reads what you may see.',
  made: 'The address of your calendar',
  address: 'Address',
};
