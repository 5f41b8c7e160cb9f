import { amountOf, count } from './amounts.ts';

type Silenced = { alerts: number; silenced: number; silencedEvents: number; isComplete: boolean };

const shared = { severity: 'Severity', status: 'Status', assignee: 'Assigned to' };

export const alert = {
  one: 'alert',
  many: 'alerts',
  filterHint: 'status:new severity:critical technique:T1190',
  empty: 'No alerts yet',
  emptyHint: 'Alerts come from detection rules, agents and integrators.',
  columns: { ...shared, title: 'Alert', source: 'Source', last: 'Last event' },
  sources: {
    siem: 'Detection rule',
    edr: 'Agent',
    cloud: 'Cloud',
    identity: 'Identity',
    finding: 'Finding',
    manual: 'A person',
  },
  changed: 'The alert is changed.',
  assignee: 'Assigned to',
  noDescription: 'The source gives no description.',
  incident: 'Show its incident',
  begin: 'Begin an incident',
  begun: 'The incident has begun.',
  rule: 'Rule',
  showRule: 'Show its rule',
  events: 'Events',
  first: 'First event',
  newest: 'Newest events',
  allEvents: 'Show the events in the logs',
  around: (value: string) => `Five minutes around the first event: ${value}`,
  nothingAround: 'No event of this time is stored.',
  allAround: 'Show these minutes in the logs',
  noEvents: 'Its rule, as it is now, fits no stored event of this time.',
  notified: 'Who was notified',
  nobodyNotified: 'Nobody was notified in the last 30 days. What waits for a digest is not shown yet.',
  gone: 'not there any more',
  reopened: 'Came back',
  resolution: 'Resolution',
};

export const incident = {
  one: 'incident',
  many: 'incidents',
  filterHint: 'status:open,investigating severity:critical',
  empty: 'No incidents yet',
  emptyHint: 'Begin an incident from an alert.',
  columns: { ...shared, title: 'Incident', alerts: 'Alerts', detected: 'Detected' },
  openOf: (open: number, total: number) => (total === 0 ? '–' : `${count(open)} of ${count(total)} open`),
  changed: 'The incident is changed.',
  noDescription: 'Nobody has described the incident.',
  noAlerts: 'The incident has no alert.',
  times: 'Times',
  lessons: 'Lessons',
  note: 'Write a note for the timeline',
  addNote: 'Add the note',
  noted: 'The note is added.',
  response: {
    title: 'Response',
    none: 'No action was asked for.',
    type: 'Action',
    target: 'Kind of target',
    value: 'Target',
    ask: 'Ask for the action',
    asked: 'The action waits for an approval.',
    approved: 'The action is approved.',
    denied: 'The action is denied.',
    types: {
      isolate_host: 'Isolate',
      disable_user: 'Disable',
      block_indicator: 'Block',
      rotate_secret: 'Rotate',
      custom: 'Custom action on',
    },
  },
};

export const timeline = {
  title: 'Timeline',
  none: 'Nothing has happened yet.',
  kinds: {
    note: 'Note',
    changed: 'Changed',
    alert_added: 'Alert added',
    alert_removed: 'Alert removed',
    response_action: 'Response',
  },
};

export const detection = {
  one: 'rule',
  many: 'rules',
  empty: 'No rules yet',
  emptyHint: 'Write a rule in the Sigma format, or switch the starter rules on.',
  columns: { severity: 'Severity', title: 'Rule', state: 'State', source: 'Log source', techniques: 'ATT&CK' },
  add: 'Add a rule',
  contentHint: 'A Sigma rule in YAML. The test bench on its page tries it on events.',
  saved: 'The rule is changed.',
  removed: 'The rule is deleted. Its alerts stay.',
  on: 'On',
  off: 'Off',
  switchOn: 'Switch on',
  switchOff: 'Switch off',
  switched: (isOn: boolean) => `The rule is ${isOn ? 'on' : 'off'}.`,
  origins: { custom: 'written here', starter: 'starter rule' },
  content: 'Rule (Sigma)',
  facts: 'Facts',
  origin: 'Origin',
  learnsUntil: 'Learns until',
  unseen: 'No event in seven days',
  counts: 'Rules that it counts',
  none: 'These rules are gone.',
  pack: {
    add: 'Import a pack',
    lead: 'New rules are created, and rules with the same id get the text of the pack. Others stay as they are.',
    file: 'Pack (.zip or .yml)',
    enabled: 'Switch new rules on',
    progress: (done: number, total: number | undefined) =>
      total === undefined ? 'Reads the pack ...' : `Imported ${count(done)} of ${amountOf(total, 'rule', 'rules')}.`,
    done: (created: number, updated: number, unchanged: number) =>
      `${amountOf(created, 'rule', 'rules')} created, ${count(updated)} changed, ${count(unchanged)} unchanged.`,
    refused: (all: number, shown: number) =>
      `${amountOf(all, 'rule is', 'rules are')} refused${shown < all ? `; the first ${count(shown)}` : ''}`,
  },
  alerts: 'Show its alerts',
  hunt: 'Try it on the past week',
  tuning: {
    title: 'Noise and exceptions',
    quiet: 'The rule matched no event in the last 13 weeks.',
    week: (monday: string, matches: number, alerts: number) =>
      `Week of ${monday}: ${amountOf(matches, 'event', 'events')}, ${amountOf(alerts, 'alert', 'alerts')}`,
    isAlert: 'Its matches raise alerts.',
    isSignal: 'It is a signal: its matches are counted and raise no alert.',
    toAlert: 'Raise alerts',
    toSignal: 'Only count',
    effectChanged: 'The rule is changed.',
    add: 'Add an exception',
    lead: 'From now on the rule leaves out events in which the field has this value. * and ? are wildcards.',
    field: 'Field',
    value: 'Value',
    reason: 'Reason',
    endsAt: 'Ends at',
    endsHint: 'Empty: it never ends.',
    looking: 'Looks at the alerts of the last 30 days ...',
    silenced: ({ alerts, silenced, silencedEvents, isComplete }: Silenced) => {
      if (alerts === 0) return 'The rule raised no alert in the last 30 days.';
      const least = isComplete ? '' : 'at least ';
      const of = `${amountOf(alerts, 'alert', 'alerts')} of the last 30 days`;
      return `It would have left out ${least}${count(silenced)} of ${of}, and ${least}${amountOf(silencedEvents, 'event', 'events')}.`;
    },
    until: (time: string) => `until ${time}`,
    always: 'without an end',
    remove: 'Remove',
    removed: 'The exception is removed.',
  },
  past: {
    title: 'On the past',
    lead: 'A task tries the saved rule on the stored events. No alert is raised.',
    ofRules: 'See what the rules that are off would have matched',
    leadOfRules: 'A task tries all rules that are off on the stored events. No alert is raised.',
    rules: (matched: number, tried: number, shown: number) =>
      `${count(matched)} of ${amountOf(tried, 'rule matches', 'rules match')} events${shown < matched ? `; the first ${count(shown)}` : ''}.`,
    matches: (events: number) => amountOf(events, 'event', 'events'),
    tooExpensive: 'too many steps on these events',
    days: 'How far back',
    last: (days: number) => (days === 1 ? 'Last day' : `Last ${count(days)} days`),
    look: 'Estimate',
    run: 'Hunt',
    cancel: 'Cancel',
    cancelled: 'Cancelled.',
    estimate: (events: number, seconds: number) =>
      `${amountOf(events, 'event', 'events')}, about ${amountOf(seconds, 'second', 'seconds')}.`,
    progress: (done: number, total: number | undefined) =>
      `Looked at ${count(done)}${total === undefined ? '' : ` of ${count(total)}`} events.`,
    matched: (some: number, all: number) => `${amountOf(some, 'event matches', 'events match')} of ${count(all)}.`,
    file: 'All of them as a file (kept for seven days)',
  },
  bench: {
    title: 'Test bench',
    lead: 'Try the rule on events before it works. Nothing is saved.',
    rule: 'Rule in the Sigma format',
    events: 'Events, a JSON array',
    run: 'Try the rule',
    badEvents: 'The events are no JSON array.',
    matched: (some: number, all: number) => `${count(some)} of ${amountOf(all, 'event matches', 'events match')}.`,
    raised: (amount: number) => `The rule would raise ${amountOf(amount, 'alert', 'alerts')}.`,
    event: (n: number) => `Event ${n + 1}`,
    matches: 'matches',
    differs: 'does not match',
    elsewhere: 'is of another log source',
  },
};

export const credential = {
  one: 'credential',
  many: 'credentials',
  filterHint: 'status:active kind:api_key verified:true',
  empty: 'No exposed credentials',
  emptyHint: 'They appear when a scanner finds a secret, or a breach names an account.',
  columns: { title: 'Credential', status: 'Status', verified: 'Works', places: 'Places', first: 'First seen' },
  kinds: {
    private_key: 'Private key',
    connection_string: 'Connection string',
    password: 'Password',
    token: 'Token',
    api_key: 'API key',
    other: 'Secret',
  },
  verified: { true: 'It works', false: 'It does not work', unknown: 'Not tried' },
  next: 'Rotate it where it was issued, then mark it here.',
  wrong: (places: number, open: number) =>
    open === places
      ? `It can be read in ${amountOf(open, 'place', 'places')}.`
      : `It can still be read in ${count(open)} of ${amountOf(places, 'place', 'places')}.`,
  changed: 'The credential is changed.',
  placesTitle: 'Places',
  noPlaces: 'No place is known.',
  sources: 'Found by',
  checked: 'Tried',
  assets: 'Assets',
};
