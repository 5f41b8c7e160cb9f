import { amountOf, count } from './amounts.ts';

const events = (amount: number) => amountOf(amount, 'event', 'events');

/** The texts of the search in logs and of its sources, which come with these screens. */
export const logs = {
  views: 'Search or sources',
  search: 'Words or fields, for example EventID:4625 -user:svc-* "failed password"',
  run: 'Search',
  range: 'Time',
  ranges: { '1h': 'Last hour', '6h': 'Last 6 hours', '24h': 'Last day', '7d': 'Last 7 days', '30d': 'Last 30 days' },
  chosen: 'Chosen times',
  from: 'From',
  to: 'To',
  source: 'Source',
  severity: 'Severity',
  all: (name: string) => `${name}: all`,
  host: 'Host',
  user: 'Person',
  ofAlert: 'Events of the alert',
  ofRule: 'Events that fit the rule',
  found: events,
  atLeast: (amount: number) => `at least ${events(amount)}`,
  histogram: (amount: number, from: string, to: string) => `${events(amount)} from ${from} to ${to}`,
  bar: (amount: number, at: string) => `${events(amount)} from ${at}`,
  zoom: 'Choose a bar to look at its time alone.',
  more: 'Show older events',
  on: 'Search on',
  going: 'Searching',
  partly: 'The search has looked at a part of this time. Older events may follow.',
  whole: 'These are all events of this time that fit.',
  none: 'No event fits',
  noneHint:
    'Leave out a word or a filter, or choose a longer time. A word matches whole words; write fail* for its beginning.',
  noneYet: 'No logs yet',
  noneYetHint:
    'A collector sends the events of logs. Make a link token for a collector under Administration, Keys, and start npm run collector with it.',
  keys: 'j and k move, Enter opens',
  list: 'Events',
  event: {
    title: 'Event',
    what: 'What happened',
    where: 'Who and where',
    when: 'When',
    next: 'Next action',
    around: 'Show what else this host did within five minutes',
    only: (value: string) => `Only ${value}`,
    at: 'Time of the event',
    received: 'Received',
    action: 'Action',
    kind: 'Kind',
    format: 'Format',
    fields: 'Fields',
    noFields: 'The event has no fields.',
    raw: 'As it was received',
    find: (value: string) => `Search for ${value}`,
  },
};

export const source = {
  one: 'source',
  many: 'sources',
  empty: 'No sources yet',
  emptyHint:
    'The first batch of a collector makes its source. Make a link token for a collector under Administration, Keys.',
  columns: {
    title: 'Source',
    status: 'State',
    kind: 'Kind',
    last: 'Last event',
    events: 'Events in a day',
    volume: 'Volume in a day',
  },
  statuses: { active: 'Sends', silent: 'Silent', waiting: 'Waits for its first batch' },
  quiet: 'Last day',
  isQuiet: 'No event',
  isLoud: 'Events',
  next: {
    active: 'It sends. Nothing to do.',
    silent: 'It sent nothing for longer than expected. Check the collector and the log that it reads.',
    waiting: 'Its collector has declared it and sent nothing yet. Check that the log is written.',
  },
  failure: 'A batch is not stored',
  failureNext: 'It is stored when the collector sends it again, or when the operator redrives it.',
  matters: 'Why it matters',
  expected: 'Expected',
  every: (seconds: number) =>
    seconds % 86_400 === 0
      ? `every ${seconds === 86_400 ? 'day' : `${count(seconds / 86_400)} days`}`
      : seconds % 3_600 === 0
        ? `every ${seconds === 3_600 ? 'hour' : `${count(seconds / 3_600)} hours`}`
        : `every ${amountOf(Math.ceil(seconds / 60), 'minute', 'minutes')}`,
  alerts: 'Silence raises an alert',
  yes: 'yes',
  no: 'no',
  alertOn: 'Raise alerts',
  alertOff: 'Raise no alerts',
  changed: 'The source is changed.',
  change: 'Change when it is silent',
  readAs: 'Change how its events are read',
  reading: { product: 'Product', category: 'Category', service: 'Service', timeZone: 'Time zone' },
  readingHints: {
    product: 'As in the log source of Sigma rules, such as linux. Empty: as recognized.',
    category: 'Such as authentication or webserver.',
    service: 'Such as sshd.',
    timeZone: 'Of times without a zone, such as Europe/Berlin. Empty: UTC.',
  },
  minutes: 'Silent after so many minutes without an event',
  replaced: 'Events with an unusable time',
  received: 'Last batch',
  collector: 'Collector',
  show: 'Show its events',
  never: 'never',
};
