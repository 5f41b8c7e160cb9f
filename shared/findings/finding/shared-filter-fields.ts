import { teamField } from '#shared/people/team-field.ts';
import { EXAMPLE_ID, type Fields, WORDS } from '#shared/platform/filter/fields.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { mostFirst, placeOfEpss } from '../priority/finding-priority.ts';
import { tellingWords } from './filter.ts';
import { toolKey } from './finding-words.ts';

/** Findings and vulnerabilities have the figure of FIRST in two forms. */
type Likely = { epss?: number | { probability: number } | undefined };

/** Fields that findings share with the vulnerabilities of findings. */
export const sharedFields = {
  severity: {
    kind: 'choice',
    mark: 'severity',
    values: Severity.options,
    about: 'the severity',
    example: 'critical,high',
  },
  tool: { kind: 'value', mark: 'tool', spelled: toolKey, about: 'the tool that reported it', example: 'trivy' },
  tag: { kind: 'value', mark: 'tag', spelled: caseless, about: 'a tag', example: 'internet' },
  assignee: {
    kind: 'person',
    mark: 'assigneeId',
    absent: true,
    about: 'who works on it: an id, me or none',
    example: 'me',
  },
  team: teamField('assigneeId'),
  application: {
    kind: 'value',
    mark: 'application',
    about: 'the id of an application of its asset',
    example: EXAMPLE_ID,
  },
  'asset.id': { kind: 'value', mark: 'asset', about: 'the id of its asset', example: EXAMPLE_ID },
  'asset.zone': {
    kind: 'value',
    mark: 'zone',
    spelled: caseless,
    about: 'the zone of its asset',
    example: 'dmz',
    read: ({ asset: { zone } }: { asset: { zone: string | null } }) => (zone === null ? [] : [zone]),
  },
  kev: { kind: 'flag', mark: 'kev', yes: 'true', about: 'known to be exploited (CISA KEV)', example: 'true' },
  due: {
    kind: 'day',
    order: 'due',
    ahead: true,
    about: 'the day on which the open record is due; due<0d is overdue',
    example: '7d',
  },
  epss: {
    kind: 'number',
    order: 'epss',
    step: 0.01,
    most: 1,
    placeOf: placeOfEpss,
    about: 'the probability of exploitation (FIRST EPSS) of an open record, rounded down to hundredths in lists',
    example: '0.1..',
    read: ({ epss }: Likely) => [(typeof epss === 'number' ? epss : epss?.probability) ?? []].flat().map(String),
  },
  priority: {
    kind: 'number',
    order: 'priority',
    step: 1,
    most: 100,
    placeOf: mostFirst,
    about: 'the priority of an open record',
    example: '70..',
  },
  acceptanceEnds: {
    kind: 'day',
    order: 'accepted',
    ahead: true,
    about: 'the day on which the acceptance of the risk ends',
    example: '30d',
  },
  firstSeen: { kind: 'day', order: 'seen', about: 'the day on which it was seen first', example: '2026-11' },
  fixed: { kind: 'day', order: 'fixed', about: 'the day on which the fixed record was fixed', example: '7d' },
  reopened: { kind: 'day', order: 'reopened', about: 'the day of its last return', example: '7d' },
  text: { ...WORDS, spelled: tellingWords },
} as const satisfies Fields;
