import type { Severity } from '#shared/reports/report/report.ts';
import type { EventFields } from '../event.ts';
import { MAX_FIELDS } from '../fields.ts';
import { type ReportedTime, reportedTime, type TimeWindow } from './time.ts';

/** The header of a syslog line; `message` is the rest. */
type SyslogLine = {
  at: ReportedTime;
  severity: Severity | undefined;
  host: string | null;
  app: string | null;
  message: string;
  fields: EventFields;
};

const FACILITIES =
  'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp ntp audit alert clock local0 local1 local2 local3 local4 local5 local6 local7'.split(
    ' ',
  );
const LEVELS = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const;
const SEVERITIES: readonly Severity[] = ['critical', 'critical', 'critical', 'high', 'medium', 'low', 'info', 'info'];

/** RFC 5424, section 6: version, time, host, application, process, message id, each `-` where it is not known. */
const HEADER_5424 = /^1 (\S{1,64}) (\S{1,255}) (\S{1,128}) (\S{1,128}) (\S{1,32}) /;
/** RFC 3164, section 4.1.2, also with a fraction or a year on either side, and the RFC 3339 time that rsyslog and systemd write in its place. */
const TIME_3164 =
  /^([A-Z][a-z]{2} {1,2}\d{1,2} (?:\d{4} )?\d\d:\d\d:\d\d(?:\.\d{1,9})?(?: \d{4})?)(?: [A-Z]{3,4}(?=:))?:? /;
const TIME_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S{0,32}) /;
const TAG = /^([^\s:[\]{"]{1,64})(?:\[([^\]\s]{1,32})\])?: ?/;
/** RFC 6587, section 3.4.1: the length of the message stands before it, where a stream of messages was cut into lines. */
const COUNTED = /^\d{1,6} (?=<\d{1,3}>)/;
/** Cisco's devices number their messages, and mark a clock that is not set. */
const NUMBERED = /^\d{1,10}: (?:([\w.-]{1,255}): )?[*.]?(?=[A-Z][a-z]{2} {1,2}\d)/;
const HOST = /^([^\s:[\]]{1,255}|[\da-fA-F:.]{2,45}) /;

/**
 * One line of syslog: RFC 5424, RFC 3164, or the same without its priority, as in files under /var/log.
 * @returns undefined for any other line
 */
export function readSyslog(received: string, window: TimeWindow): SyslogLine | undefined {
  const line = received.replace(COUNTED, '');
  const [priority, value = ''] = /^<(\d{1,3})>/.exec(line) ?? [];
  const number = Number(value);
  if (priority !== undefined && number > 191) return undefined; // section 6.2.1: 23 facilities of 8 levels
  const rest = line.slice(priority?.length ?? 0);
  const level = priority === undefined ? undefined : number % 8;
  const found = read5424(rest, window) ?? read3164(rest, window) ?? (priority === undefined ? undefined : bare(rest));
  if (!found) return undefined;
  const about: EventFields =
    level === undefined ? {} : { facility: FACILITIES[number >> 3] ?? '', level: LEVELS[level] ?? '' };
  const { message, times } = repeatedIn(found.message);
  const repeated: EventFields = times === undefined ? {} : { repeated: times };
  return {
    ...found,
    message,
    severity: level === undefined ? undefined : SEVERITIES[level],
    fields: { ...about, ...found.fields, ...repeated },
  };
}

/** rsyslog writes a message that came several times once, with their number. */
function repeatedIn(message: string): { message: string; times?: number } {
  const [, times, inside] = /^message repeated (\d{1,5}) times: \[ ?([\s\S]*)\]$/.exec(message) ?? [];
  return inside === undefined ? { message } : { message: inside, times: Number(times) };
}

type Read = Omit<SyslogLine, 'severity'>;

/** A message without a time, perhaps behind the name of its program. */
function bare(text: string): Read {
  const [tag = '', app, process] = TAG.exec(text) ?? [];
  const isTagged = tag.trimEnd().endsWith(':');
  const about = isTagged ? given({ appname: known(app), procid: known(process) }) : {};
  const message = isTagged ? text.slice(tag.length) : text;
  return { at: undefined, host: null, app: isTagged ? known(app) : null, message, fields: about };
}

const known = (text: string | undefined): string | null => (text === undefined || text === '-' ? null : text);

function read5424(rest: string, window: TimeWindow): Read | undefined {
  const header = HEADER_5424.exec(rest);
  if (!header) return undefined;
  const [all, time, host, app, process, messageId] = header;
  const data = readStructuredData(rest.slice(all.length));
  if (!data) return undefined;
  const about = { appname: known(app), procid: known(process), msgid: known(messageId) };
  return {
    at: reportedTime([time], window),
    host: known(host),
    app: known(app),
    message: data.message,
    fields: { ...given(about), ...data.fields },
  };
}

const given = (about: Record<string, string | null>): EventFields =>
  Object.fromEntries(Object.entries(about).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

const ELEMENT = /^\[([^\s\]="]{1,128})/;
/** Section 6.3.3: a quote, a backslash and a bracket are escaped, and nothing else. */
const PARAMETER = /^ ([^\s\]="]{1,128})="((?:[^"\\\]]|\\[\s\S])*)"/;

/** The parameters of all elements, and the message behind them without its byte order mark (section 6.4). */
function readStructuredData(text: string): { fields: EventFields; message: string } | undefined {
  const fields: EventFields = {};
  let left = MAX_FIELDS;
  let rest = text;
  if (rest.startsWith('-')) rest = rest.slice(1);
  else if (!rest.startsWith('[')) return undefined;
  for (let element = ELEMENT.exec(rest); element; element = ELEMENT.exec(rest)) {
    rest = rest.slice(element[0].length);
    for (let one = PARAMETER.exec(rest); one; one = PARAMETER.exec(rest)) {
      const [all, name = '', value = ''] = one;
      if (left-- > 0 && name !== '__proto__') fields[`${element[1]}.${name}`] = value.replaceAll(/\\(["\\\]])/g, '$1');
      rest = rest.slice(all.length);
    }
    if (!rest.startsWith(']')) return undefined;
    rest = rest.slice(1);
  }
  if (rest !== '' && !rest.startsWith(' ')) return undefined;
  return { fields, message: rest.slice(1).replace(/^\uFEFF/, '') };
}

function read3164(text: string, window: TimeWindow): Read | undefined {
  const [number = '', device] = NUMBERED.exec(text) ?? [];
  const line = text.slice(number.length);
  const [stamp, time] = TIME_3164.exec(line) ?? TIME_3339.exec(line) ?? [];
  if (stamp === undefined) return undefined;
  const at = reportedTime([time], window);
  const rest = line.slice(stamp.length);
  const host = HOST.exec(rest);
  const behind = host ? rest.slice(host[0].length) : rest;
  const [tag = '', app, process] = TAG.exec(behind) ?? [];
  const about = { appname: known(app), procid: known(process) };
  return {
    at,
    host: known(host?.[1] ?? device),
    app: known(app),
    message: behind.slice(tag.length),
    fields: given(about),
  };
}
