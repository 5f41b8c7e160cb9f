import type { EventFields } from '../event.ts';
import type { ReadEvent } from './json-event.ts';
import { reportedTime, type TimeWindow } from './time.ts';

/** The common and the combined log format of Apache and nginx: https://httpd.apache.org/docs/current/logs.html#accesslog */
const LINE =
  /^(\S{1,255}) \S{1,255} (\S{1,255}) \[([^\]]{1,40})\] "([A-Z]{1,20}) ([^"\s]{1,16000})(?: (HTTP\/[\d.]{1,5}))?" (\d{3}) (\d{1,15}|-)(?: "((?:[^"\\]|\\.){0,16000})" "((?:[^"\\]|\\.){0,16000})")?/;

/** A request in the log of a web server, with the names of the W3C format, which Sigma's rules use. */
export function readAccess(line: string, window: TimeWindow): ReadEvent | undefined {
  const [all, client, user, time, method, uri = '', version, status, bytes, referer, agent] = LINE.exec(line) ?? [];
  if (all === undefined) return undefined;
  const query = uri.indexOf('?');
  const given = {
    'c-ip': client,
    'cs-username': known(user),
    'cs-method': method,
    'cs-uri': uri,
    'cs-uri-stem': query < 0 ? uri : uri.slice(0, query),
    'cs-uri-query': query < 0 ? undefined : uri.slice(query + 1),
    'cs-version': version,
    'sc-status': status,
    'sc-bytes': known(bytes),
    'cs-referer': known(referer),
    'cs-user-agent': known(agent),
  };
  const fields: EventFields = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return {
    format: 'text',
    at: reportedTime([time], window),
    severity: undefined,
    host: null,
    user: known(user) ?? null,
    action: method ?? null,
    category: 'webserver',
    product: null,
    service: null,
    message: line,
    fields,
  };
}

const known = (text: string | undefined): string | undefined => (text === '-' ? undefined : text);
