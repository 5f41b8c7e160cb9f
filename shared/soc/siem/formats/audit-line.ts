import type { EventFields } from '../event.ts';
import { MAX_FIELDS } from '../fields.ts';
import type { ReadEvent } from './json-event.ts';
import { reportedTime, type TimeWindow } from './time.ts';

/** https://github.com/linux-audit/audit-documentation/wiki/SPEC-Audit-Event-Enrichment */
const LINE = /^(?:node=(\S{1,255}) )?type=([A-Z\d_[\]]{1,64}) msg=audit\((\d{9,11}\.\d{1,9}):(\d{1,20})\): ?/;
const FIELD = /([\w-]{1,64})=(?:"([^"]{0,32768})"|'([^']{0,32768})'|(\S{0,32768}))/g;

/** A line of the audit daemon of Linux. The fields of `msg='...'` are fields, too. */
export function readAuditLine(line: string, window: TimeWindow): ReadEvent | undefined {
  const [head, node = null, type = '', time, serial = ''] = LINE.exec(line) ?? [];
  if (head === undefined) return undefined;
  const fields: EventFields = { type, serial };
  addFields(fields, line.slice(head.length));
  const user = fields.acct ?? fields.AUID;
  return {
    format: 'text',
    at: reportedTime([time], window),
    severity: undefined,
    host: node,
    user: typeof user === 'string' ? user : null,
    action: type,
    category: null,
    product: 'linux',
    service: 'auditd',
    message: line,
    fields,
  };
}

function addFields(fields: EventFields, text: string): void {
  for (const [, name = '', quoted, single, bare] of text.matchAll(FIELD).take(MAX_FIELDS)) {
    if (single !== undefined) addFields(fields, single);
    else if (name !== '__proto__' && !Object.hasOwn(fields, name)) fields[name] = quoted ?? bare ?? '';
  }
}
