import type { BatchFormat, SiemEvent } from './event.ts';
import { firstOf } from './fields.ts';
import { cefStart, readCef } from './formats/cef.ts';
import { type ReadEvent, readJsonEvent } from './formats/json-event.ts';
import { readSyslog } from './formats/syslog.ts';
import { firstTime, type TimeWindow, toldTime } from './formats/time.ts';
import { type Line, linesOf, objectIn } from './lines.ts';
import { logSourceOf } from './log-source.ts';
import { hourOf } from './segments.ts';

const MAX_RAW = 32_768;
const MAX_WORD = 255;
const MAX_MESSAGE = 8_192;
/** The hours of a week. Each has a segment of its own: few lines of many hours must not become as many objects. */
export const MOST_HOURS = 168;

/** `oldest`: events are kept from this time on. */
type Batch = { sourceId: string; format: BatchFormat; receivedAt: string; oldest: string };

/** `timesReplaced`: so many events tell a time that none of the batch may have, and have that of the receipt. */
type Events = { events: SiemEvent[]; timesReplaced: number };

/**
 * The events of a batch, in the order of its lines. A line that its format does not explain is kept as text.
 */
export function readEvents(text: string, batch: Batch): Events {
  const window = { oldest: Date.parse(batch.oldest), received: Date.parse(batch.receivedAt) };
  const read = Array.from(linesOf(text), (line) => normal(batch, line, window));
  const hours = [...new Set(read.map(({ event }) => hourOf(event.at)))].sort().slice(-MOST_HOURS);
  const since = hours[0] ?? '';
  const isReplaced = ({ event, isUnusable }: Normal) => isUnusable || hourOf(event.at) < since;
  return {
    events: read.map((one) => (isReplaced(one) ? { ...one.event, at: batch.receivedAt } : one.event)),
    timesReplaced: read.filter(isReplaced).length,
  };
}

type Normal = { event: SiemEvent; isUnusable: boolean };

function normal(batch: Batch, { raw, value }: Line, window: TimeWindow): Normal {
  const wanted = batch.format === 'ecs' || batch.format === 'ocsf' ? batch.format : undefined;
  const read = value ? readJsonEvent(value, { wanted, window }) : readLine(raw, window);
  const { at, severity = 'info', host, user, action, message, fields } = read;
  const { category, product, service } = logSourceOf(read, fields);
  const event: SiemEvent = {
    ...{
      at: typeof at === 'number' ? new Date(at).toISOString() : batch.receivedAt,
      receivedAt: batch.receivedAt,
      sourceId: batch.sourceId,
    },
    ...{ format: read.format, severity },
    ...{ host: short(host), user: short(user), action: short(action) },
    ...{ category: short(category), product: short(product), service: short(service) },
    message: cut(message || raw, MAX_MESSAGE),
    fields,
    raw: cut(raw, MAX_RAW),
  };
  return { event, isUnusable: at === 'unusable' };
}

const cut = (text: string, most: number): string => (text.length > most ? text.slice(0, most) : text).toWellFormed();
const short = (text: string | null): string | null => (text === null ? null : cut(text, MAX_WORD));

function readLine(raw: string, window: TimeWindow): ReadEvent {
  const start = cefStart(raw);
  const cef = start < 0 ? undefined : readCef(raw.slice(start));
  const syslog = start === 0 ? undefined : readSyslog(start > 0 ? raw.slice(0, start) : raw, window);
  if (cef) return ofCef(cef, window, syslog);
  if (!syslog) return { ...NOTHING, format: 'text', message: raw, fields: {} };
  const inside = objectIn(syslog.message);
  if (inside) return insideSyslog(readJsonEvent(inside, { window }), syslog);
  const { at, severity, host, app, message, fields } = syslog;
  const user = userIn(message);
  return { ...NOTHING, format: 'syslog', at, severity, host, user, service: app, message, fields };
}

const NOTHING = {
  ...{ at: undefined, severity: undefined, host: null, user: null, action: null },
  ...{ category: null, product: null, service: null },
};

type Syslog = NonNullable<ReturnType<typeof readSyslog>>;

function ofCef(
  { product, name, severity, fields }: NonNullable<ReturnType<typeof readCef>>,
  window: TimeWindow,
  syslog?: Syslog,
): ReadEvent {
  return {
    ...{ format: 'cef', severity, message: firstOf(fields, ['msg']) ?? name },
    at: firstTime(toldTime([fields.rt, fields.start, fields.end], window), syslog?.at),
    host: firstOf(fields, ['dvchost', 'shost', 'dhost', 'dvc']) ?? syslog?.host ?? null,
    user: firstOf(fields, ['suser', 'duser']),
    action: firstOf(fields, ['act']) ?? name,
    category: firstOf(fields, ['cat']),
    ...{ product: product.toLowerCase(), service: syslog?.app ?? null },
    fields: { ...syslog?.fields, ...fields },
  };
}

/** JSON behind a header of syslog: what it does not tell itself, the header tells. */
const insideSyslog = (read: ReadEvent, { at, severity, host, app, fields }: Syslog): ReadEvent => ({
  ...read,
  at: firstTime(read.at, at),
  severity: read.severity ?? severity,
  host: read.host ?? host,
  service: read.service ?? app,
  fields: { ...fields, ...read.fields },
});

/** The user that sshd, sudo, su and PAM name in their messages. */
const userIn = (message: string): string | null =>
  /\b(?:for (?:invalid user )?|user[ =])([\w.@\\-]{1,64})/.exec(message)?.[1] ?? null;
