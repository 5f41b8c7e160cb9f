import { severityOfWord } from '#shared/reports/readers/finding.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import type { EventFields, SiemEvent } from '../event.ts';
import { firstOf, flatten } from '../fields.ts';
import { type WindowsReading, withWindowsNames, withWindowsValues } from '../windows-log.ts';
import { type ReportedTime, reportedTime, type TimeWindow } from './time.ts';

/** The parts of an event that its format defines. */
export type ReadEvent = Pick<
  SiemEvent,
  'format' | 'host' | 'user' | 'action' | 'category' | 'product' | 'service' | 'message' | 'fields'
> & { at: ReportedTime; severity: Severity | undefined };

/** The fields of a format in which each part of an event is looked for, the best first. */
type Names = Record<
  'at' | 'host' | 'user' | 'action' | 'category' | 'product' | 'service' | 'message',
  readonly string[]
>;

/** Elastic Common Schema 8. */
const ECS: Names = {
  at: ['@timestamp'],
  host: ['host.name', 'host.hostname', 'observer.name', 'agent.name'],
  user: ['user.name', 'user.email', 'user.id'],
  action: ['event.action', 'event.type'],
  category: ['event.category'],
  product: ['event.module', 'observer.product'],
  service: ['event.dataset', 'service.name'],
  message: ['message', 'event.original'],
};

/** Open Cybersecurity Schema Framework 1. */
const OCSF: Names = {
  at: ['time', 'time_dt'],
  host: ['device.hostname', 'device.name', 'src_endpoint.hostname', 'dst_endpoint.hostname'],
  user: ['actor.user.name', 'user.name', 'actor.user.uid', 'user.uid'],
  action: ['activity_name', 'type_name'],
  category: ['class_name', 'category_name'],
  product: ['metadata.product.name'],
  service: ['metadata.log_name', 'api.service.name'],
  message: ['message', 'raw_data', 'finding_info.title'],
};

/** The names that log shippers and cloud providers use most. */
const PLAIN: Names = {
  at: [
    ...[
      'timestamp',
      '@timestamp',
      'time',
      'ts',
      'eventTime',
      'EventTime',
      'UtcTime',
      'TimeCreated',
      'date',
      'datetime',
    ],
    ...['TimeGenerated', 'CreationTime', 'published', 't.$date', '__REALTIME_TIMESTAMP'],
    ...['#attributes.', '@', ''].map((prefix) => `Event.System.TimeCreated.${prefix}SystemTime`),
  ],
  host: [
    ...['host', 'hostname', 'Hostname', 'Computer', 'ComputerName', 'host.name', 'computer_name', 'node', 'instance'],
    '_HOSTNAME',
  ],
  user: [
    'user',
    'username',
    'user.name',
    'userName',
    'TargetUserName',
    'SubjectUserName',
    'User',
    'userIdentity.userName',
    'userIdentity.arn',
    'user_name',
    'actor',
  ],
  action: ['action', 'eventName', 'event', 'operation', 'Operation', 'Task', 'EventID'],
  category: ['category', 'type', 'Category'],
  product: ['product', 'vendor'],
  service: [
    ...['service', 'program', 'app', 'appname', 'application', 'eventSource', 'logger', 'service.name'],
    'SYSLOG_IDENTIFIER',
  ],
  message: ['message', 'msg', 'Message', 'log', 'text', 'description', 'eventName', 'RenderedDescription', 'MESSAGE'],
};

const SEVERITY_NAMES = [
  'severity',
  'level',
  'log.level',
  'Level',
  'log_level',
  'priority',
  'SeverityValue',
  'severityText',
  'EventLevelName',
] as const;
const WORDS: Record<string, Severity> = {
  fatal: 'critical',
  emerg: 'critical',
  emergency: 'critical',
  alert: 'critical',
  crit: 'critical',
  error: 'high',
  err: 'high',
  warning: 'medium',
  warn: 'medium',
  notice: 'low',
  informational: 'info',
  information: 'info',
  debug: 'info',
  trace: 'info',
};
/** `severity_id` of OCSF: unknown, informational, low, medium, high, critical, fatal. */
const OCSF_SEVERITIES: readonly Severity[] = ['info', 'info', 'low', 'medium', 'high', 'critical', 'critical'];

type Wanted = { wanted?: 'ecs' | 'ocsf' | undefined; window: TimeWindow } & WindowsReading;

export function readJsonEvent(value: object, { wanted, window, ...reading }: Wanted): ReadEvent {
  const fields = withWindowsNames(flatten(withWindowsValues(value, reading)));
  const format = wanted ?? formatOf(fields);
  const names = { ecs: ECS, ocsf: OCSF, json: PLAIN }[format];
  const part = (name: keyof Names) => firstOf(fields, names[name]) ?? firstOf(fields, PLAIN[name]);
  return {
    format,
    fields,
    at: timeIn(fields, [...names.at, ...PLAIN.at], window),
    severity: severityIn(fields),
    host: part('host'),
    user: part('user'),
    action: part('action'),
    category: part('category'),
    product: part('product'),
    service: part('service'),
    message: part('message') ?? '',
  };
}

function formatOf(fields: EventFields): 'ecs' | 'ocsf' | 'json' {
  if ('class_uid' in fields && ('time' in fields || 'time_dt' in fields)) return 'ocsf';
  const isEcs = '@timestamp' in fields && Object.keys(fields).some((name) => /^(ecs|event|agent)\./.test(name));
  return isEcs ? 'ecs' : 'json';
}

/** Some products write day and time separately. */
function timeIn(fields: EventFields, names: readonly string[], window: TimeWindow): ReportedTime {
  const values = names.map((name) => (Object.hasOwn(fields, name) ? fields[name] : undefined));
  const { date, time } = fields;
  return reportedTime([...values, ...(date === undefined || time === undefined ? [] : [`${date} ${time}`])], window);
}

function severityIn(fields: EventFields): Severity | undefined {
  const ocsf = fields.severity_id;
  if (typeof ocsf === 'number') return OCSF_SEVERITIES[ocsf] ?? 'info';
  const word = firstOf(fields, SEVERITY_NAMES)?.toLowerCase();
  return word === undefined ? undefined : (severityOfWord(word) ?? WORDS[word]);
}
