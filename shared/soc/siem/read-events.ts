import { isObject } from '#shared/reports/readers/json.ts';
import type { BatchFormat, SiemEvent } from './event.ts';
import { firstOf } from './fields.ts';
import { readAccess } from './formats/access-log.ts';
import { readAuditLine } from './formats/audit-line.ts';
import { cefStart, readCef } from './formats/cef.ts';
import { readEventXml } from './formats/event-xml.ts';
import { type ReadEvent, readJsonEvent } from './formats/json-event.ts';
import { logRecordOf } from './formats/otlp.ts';
import { readSyslog } from './formats/syslog.ts';
import { firstTime, reportedTime, type TimeWindow } from './formats/time.ts';
import { type FieldBudget, isSpent, type Line, linesOf, MAX_LINE, newFieldBudget, objectIn } from './lines.ts';
import { logSourceOf } from './log-source.ts';
import { clockIn, type ReadAs } from './read-as.ts';
import { hourOf } from './segments.ts';
import type { WindowsReading } from './windows-log.ts';

const MAX_RAW = 32_768;
const MAX_WORD = 255;
const MAX_MESSAGE = 32_768;
/** The hours of a week. Each has a segment of its own: few lines of many hours must not become as many objects. */
export const MAX_HOURS = 168;

/** `oldest`: events are kept from this time on. Events of Windows as XML or without names are text and numbers without the parts that read them. */
type Batch = {
  sourceId: string;
  format: BatchFormat;
  receivedAt: string;
  oldest: string;
  readAs?: ReadAs | undefined;
} & WindowsReading;

/** `timesReplaced`: so many events have the time of receipt, because no event of the batch may have the time in their line. */
type Events = { events: SiemEvent[]; timesReplaced: number };

/**
 * The events of a batch, in the order of its lines, with a turn for others after each. A line that its format does not explain is kept as
 * text.
 */
export function* readEvents(text: string, batch: Batch): Generator<void, Events> {
  const read: Normal[] = [];
  const hours = newHours();
  for (const one of normals(text, batch, newFieldBudget())) {
    yield;
    if (!one) continue;
    note(hours, one);
    read.push(one);
  }
  const { since, timesReplaced } = replacedIn(hours);
  const isReplaced = ({ event, isUnusable }: Normal) => isUnusable || hourOf(event.at) < since;
  const events = read.map((one) => (isReplaced(one) ? { ...one.event, at: batch.receivedAt } : one.event));
  return { events, timesReplaced };
}

/** `isOver`: the batch has more fields than its budget, and its last lines would be kept as text. */
type Counts = Pick<Events, 'timesReplaced'> & { isOver: boolean };

/** The counts of a batch without its events: one event is in memory at a time. */
export function* countEvents(text: string, batch: Batch): Generator<void, Counts> {
  const budget = newFieldBudget();
  const hours = newHours();
  for (const one of normals(text, batch, budget)) {
    yield;
    if (one) note(hours, one);
  }
  const { timesReplaced } = replacedIn(hours);
  return { timesReplaced, isOver: isSpent(budget) };
}

type Normal = { event: SiemEvent; isUnusable: boolean };

function* normals(text: string, batch: Batch, budget: FieldBudget): Generator<Normal | undefined> {
  const times = { oldest: Date.parse(batch.oldest), received: Date.parse(batch.receivedAt) };
  const timeZone = batch.readAs?.timeZone;
  const window = { ...times, momentOf: timeZone ? clockIn(timeZone, times) : undefined };
  for (const line of linesOf(text, budget)) {
    const one = line && normal(batch, line, { window, budget });
    for (const name of Object.keys(one?.event.fields ?? {})) budget.names.add(name);
    yield one;
  }
}

/** The events of each hour; events with an unusable time have no hour. */
type Hours = { unusable: number; events: Map<string, number> };

const newHours = (): Hours => ({ unusable: 0, events: new Map() });

function note(hours: Hours, { event, isUnusable }: Normal): void {
  const hour = hourOf(event.at);
  if (isUnusable) hours.unusable += 1;
  hours.events.set(hour, (hours.events.get(hour) ?? 0) + (isUnusable ? 0 : 1));
}

/** The first of the latest hours, and the number of events without an hour or of an earlier hour. */
function replacedIn({ unusable, events }: Hours): { since: string; timesReplaced: number } {
  const hours = [...events.keys()].sort();
  const since = hours.at(-MAX_HOURS) ?? '';
  const older = hours.filter((hour) => hour < since).map((hour) => events.get(hour) ?? 0);
  return { since, timesReplaced: older.reduce((sum, count) => sum + count, unusable) };
}

type Limits = { window: TimeWindow; budget: FieldBudget } & WindowsReading;

function normal(batch: Batch, { raw, value }: Line, { window, budget }: Limits): Normal {
  const wanted = batch.format === 'ecs' || batch.format === 'ocsf' ? batch.format : undefined;
  const limits = { window, budget, xml: batch.xml, inserts: batch.inserts };
  const read = value ? readObject(value, { ...limits, wanted }) : readLine(raw.slice(0, MAX_LINE), limits);
  const { at, severity = 'info', host, user, action, message, fields } = read;
  const known = logSourceOf(read, fields);
  const { readAs } = batch;
  const event: SiemEvent = {
    at: typeof at === 'number' ? new Date(at).toISOString() : batch.receivedAt,
    receivedAt: batch.receivedAt,
    sourceId: batch.sourceId,
    format: read.format,
    severity,
    host: short(host),
    user: short(user),
    action: short(action),
    category: short(readAs?.category ?? known.category),
    product: short(readAs?.product ?? known.product),
    service: short(readAs?.service ?? known.service),
    message: cut(message || raw, MAX_MESSAGE),
    fields,
    raw: cut(raw, MAX_RAW),
  };
  return { event, isUnusable: at === 'unusable' };
}

const cut = (text: string, most: number): string => (text.length > most ? text.slice(0, most) : text).toWellFormed();
const short = (text: string | null): string | null => (text === null ? null : cut(text, MAX_WORD));

/** The text of a log record is a line or an object of its own: the record supplies what it lacks. */
function readObject(value: object, limits: Limits & { wanted?: 'ecs' | 'ocsf' | undefined }): ReadEvent {
  const record = logRecordOf(value);
  if (!record) return readJsonEvent(value, limits);
  const { body, about, severity, at, observedAt } = record;
  const text = typeof body === 'string' ? body.slice(0, MAX_LINE) : undefined;
  const object = text === undefined ? body : objectIn(text, limits.budget);
  const own = readJsonEvent({ ...about, ...(isObject(object) ? object : { message: text }) }, limits);
  const line = text === undefined || object ? undefined : readLine(text, limits);
  const read =
    line && isKnown(line) ? { ...insideHeader(line, { ...own, app: own.service }), user: line.user ?? own.user } : own;
  const [first, last] = [at, observedAt].map((time) => reportedTime([time], limits.window));
  return { ...read, at: firstTime(first, read.at, last), severity: severity ?? read.severity };
}

const isKnown = ({ format, fields }: ReadEvent): boolean => format !== 'text' || Object.keys(fields).length > 0;

function readLine(raw: string, limits: Limits): ReadEvent {
  const { window, budget } = limits;
  if (isSpent(budget)) return { ...NOTHING, format: 'text', message: raw, fields: {} };
  const start = cefStart(raw);
  const cef = start < 0 ? undefined : readCef(raw.slice(start));
  const syslog = start === 0 ? undefined : readSyslog(start > 0 ? raw.slice(0, start) : raw, window);
  if (cef) return ofCef(cef, window, syslog);
  if (!syslog) return readBare(raw, limits) ?? { ...NOTHING, format: 'text', message: raw, fields: {} };
  // CEE marks JSON behind a header with a cookie: https://cee.mitre.org/language/1.0-beta1/clt.html
  const inside = objectIn(syslog.message.replace(/^@cee: ?/, ''), budget);
  if (inside) return insideHeader(readJsonEvent(inside, limits), syslog);
  const bare = readBare(syslog.message, limits);
  if (bare) return insideHeader(bare, syslog);
  const { at, severity, host, app, message, fields } = syslog;
  const user = userIn(message);
  return { ...NOTHING, format: 'syslog', at, severity, host, user, service: app, message, fields };
}

/** A line of a format without a header of its own. */
function readBare(line: string, { window, xml: parser }: Limits): ReadEvent | undefined {
  const xml = parser && readEventXml(line, parser);
  return xml ? readJsonEvent(xml, { window }) : (readAccess(line, window) ?? readAuditLine(line, window));
}

const NOTHING = {
  at: undefined,
  severity: undefined,
  host: null,
  user: null,
  action: null,
  category: null,
  product: null,
  service: null,
};

type Syslog = NonNullable<ReturnType<typeof readSyslog>>;

function ofCef(
  { product, name, severity, fields }: NonNullable<ReturnType<typeof readCef>>,
  window: TimeWindow,
  syslog?: Syslog,
): ReadEvent {
  return {
    format: 'cef',
    severity,
    message: firstOf(fields, ['msg']) ?? name,
    at: firstTime(reportedTime([fields.rt, fields.start, fields.end], window), syslog?.at),
    host: firstOf(fields, ['dvchost', 'shost', 'dhost', 'dvc']) ?? syslog?.host ?? null,
    user: firstOf(fields, ['suser', 'duser']),
    action: firstOf(fields, ['act']) ?? name,
    category: firstOf(fields, ['cat']),
    product: product.toLowerCase(),
    service: syslog?.app ?? null,
    fields: { ...syslog?.fields, ...fields },
  };
}

type Header = Pick<Syslog, 'at' | 'severity' | 'host' | 'app' | 'fields'>;

/** An event behind a header of syslog, or in a log record: the header supplies what the event lacks. */
const insideHeader = (read: ReadEvent, { at, severity, host, app, fields }: Header): ReadEvent => ({
  ...read,
  at: firstTime(read.at, at),
  severity: read.severity ?? severity,
  host: read.host ?? host,
  service: read.service ?? app,
  fields: { ...fields, ...read.fields },
});

/** Words before the user in the messages of sshd, sudo, su, passwd, systemd-logind and PAM. */
const USER =
  /\b(?:for (?:(?:invalid |illegal )?user )|(?:for|su for|changed for) (?=[^ ]{1,64}(?: from | by | on |$))|user[ =](?!unknown\b))([\w.@\\$-]{0,63}[\w$])/;

const userIn = (message: string): string | null => USER.exec(message)?.[1] ?? null;
