import { describe, expect, test } from 'vitest';
import type { BatchFormat } from '#shared/soc/siem/event.ts';
import { MAX_BATCH_VALUES, MAX_NAMES } from '#shared/soc/siem/lines.ts';
import { countEvents, readEvents as eventsInTurns } from '#shared/soc/siem/read-events.ts';
import { inOneTurn } from '../../../support/all-turns.ts';

const receivedAt = '2026-01-02T00:00:00.000Z';
const sourceId = '019bc0ab-2400-7334-8000-0004e2031323';

const batch = { sourceId, receivedAt, oldest: '2000-01-01T00:00:00.000Z', format: 'auto' as BatchFormat };

const readEvents = (text: string, of: typeof batch) => inOneTurn(eventsInTurns(text, of));

function only(line: string | object, format: BatchFormat = 'auto') {
  const text = typeof line === 'string' ? line : JSON.stringify(line);
  const [event, ...more] = readEvents(text, { ...batch, format }).events;
  expect(more).toEqual([]);
  if (!event) throw new Error('no event');
  return event;
}

describe('syslog of RFC 5424', () => {
  test('an example of the RFC gives its parts, without the byte order mark', () => {
    const raw =
      '<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473 iut="3" eventSource="Application" eventID="1011"] \uFEFFAn application event log entry...';
    expect(only(raw)).toEqual({
      at: '2003-10-11T22:14:15.003Z',
      receivedAt,
      sourceId,
      format: 'syslog',
      severity: 'low',
      host: 'mymachine.example.com',
      user: null,
      action: null,
      category: null,
      product: null,
      service: 'evntslog',
      message: 'An application event log entry...',
      raw,
      fields: {
        facility: 'local4',
        level: 'notice',
        appname: 'evntslog',
        msgid: 'ID47',
        'exampleSDID@32473.iut': '3',
        'exampleSDID@32473.eventID': '1011',
        'exampleSDID@32473.eventSource': 'Application',
      },
    });
  });

  test('escapes in a parameter, several elements and an offset are read', () => {
    const event = only(
      '<34>1 2026-01-01T05:14:15.000003-07:00 192.0.2.1 app 8710 - [a@1 x="q\\"b\\\\s\\]"][b@1 y=""] hi',
    );
    expect(event).toMatchObject({
      at: '2026-01-01T12:14:15.000Z',
      host: '192.0.2.1',
      severity: 'critical',
      message: 'hi',
    });
    expect(event.fields).toMatchObject({ 'a@1.x': 'q"b\\s]', 'b@1.y': '', procid: '8710' });
  });

  test('a line whose structured data is broken keeps its priority and every letter', () => {
    const line = '<34>1 2026-01-01T00:00:00Z host app - - [a@1 x="open message';
    expect(only(line)).toMatchObject({ severity: 'critical', message: line.slice(4), raw: line, at: receivedAt });
  });
});

describe('syslog of RFC 3164 and as files have it', () => {
  test('an example of the RFC gives host, program and the facility', () => {
    const event = only("<34>Oct 11 22:14:15 mymachine su[12]: 'su root' failed for lonvick on /dev/pts/8");
    expect(event).toMatchObject({
      at: '2025-10-11T22:14:15.000Z',
      host: 'mymachine',
      service: 'su',
      product: 'linux',
      user: 'lonvick',
      severity: 'critical',
      message: "'su root' failed for lonvick on /dev/pts/8",
    });
    expect(event.fields).toEqual({ facility: 'auth', level: 'crit', appname: 'su', procid: '12' });
  });

  test('a time without a year is of the year that was not over', () => {
    expect(only('Dec 31 23:59:59 web-01 app: x').at).toBe('2025-12-31T23:59:59.000Z');
    expect(only('Jan  1 10:00:00 web-01 app: x').at).toBe('2026-01-01T10:00:00.000Z');
  });

  test('a line of auth.log in the format of newer systems has its user', () => {
    const line =
      '2026-01-01T10:00:00.123456+02:00 web-01 sshd[812]: Failed password for invalid user admin from 203.0.113.9 port 22 ssh2';
    expect(only(line)).toMatchObject({
      at: '2026-01-01T08:00:00.123Z',
      host: 'web-01',
      service: 'sshd',
      product: 'linux',
      user: 'admin',
    });
  });

  test('a priority that no facility has is no syslog', () => {
    expect(only('<999>Oct 11 22:14:15 host app: x').format).toBe('text');
  });
});

describe('CEF', () => {
  test('bars in the header and signs in values are unescaped, values may have spaces', () => {
    const event = only(
      'CEF:0|security|threat\\|manager|1.0|100|worm stopped|10|src=10.0.0.1 msg=Detected a threat\\=x. No action suser=bob cs1Label=Rule cs1=a b rt=1767225600000',
    );
    expect(event).toMatchObject({
      format: 'cef',
      severity: 'critical',
      product: 'threat|manager',
      user: 'bob',
      at: '2026-01-01T00:00:00.000Z',
      message: 'Detected a threat=x. No action',
      action: 'worm stopped',
    });
    expect(event.fields).toMatchObject({ src: '10.0.0.1', cs1Label: 'Rule', cs1: 'a b', deviceEventClassId: '100' });
  });

  test('behind a header of syslog the header tells host and time', () => {
    const event = only('<13>Jan  1 08:26:10 fw-1 CEF:0|S|T|1|1|n|5|dst=2.1.2.2 spt=1232');
    expect(event).toMatchObject({ host: 'fw-1', at: '2026-01-01T08:26:10.000Z', severity: 'medium', format: 'cef' });
    expect(event.fields).toMatchObject({ dst: '2.1.2.2', spt: '1232', facility: 'user' });
  });

  test('a header that breaks off is kept as text', () => {
    expect(only('CEF:0|S|T|1').format).toBe('text');
  });
});

describe('JSON', () => {
  test('ECS is known by its fields, and a Windows event keeps the names that rules use', () => {
    const event = only({
      '@timestamp': '2026-01-01T00:00:00.5Z',
      ecs: { version: '8.11' },
      host: { name: 'dc-1' },
      user: { name: 'alice' },
      event: { action: 'logon-failed', category: ['authentication'], code: '4625' },
      winlog: { channel: 'Security', event_id: 4625, event_data: { TargetUserName: 'alice', IpAddress: '10.0.0.7' } },
      message: 'An account failed to log on.',
    });
    expect(event).toMatchObject({
      format: 'ecs',
      at: '2026-01-01T00:00:00.500Z',
      host: 'dc-1',
      user: 'alice',
      action: 'logon-failed',
      category: 'authentication',
      product: 'windows',
      service: 'security',
    });
    expect(event.fields).toMatchObject({
      EventID: 4625,
      TargetUserName: 'alice',
      'winlog.event_data.IpAddress': '10.0.0.7',
    });
  });

  test('OCSF is known by its class, and its severity by its id', () => {
    const event = only({
      class_uid: 3002,
      class_name: 'Authentication',
      activity_name: 'Logon',
      severity_id: 4,
      time: 1767225600000,
      actor: { user: { name: 'bob' } },
      device: { hostname: 'web-01' },
      metadata: { product: { name: 'Okta' } },
    });
    expect(event).toMatchObject({
      format: 'ocsf',
      severity: 'high',
      at: '2026-01-01T00:00:00.000Z',
      host: 'web-01',
      user: 'bob',
      category: 'Authentication',
      product: 'Okta',
      action: 'Logon',
    });
  });

  test('Sysmon as plain JSON is a process creation of Windows', () => {
    const event = only({
      EventID: 1,
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      Computer: 'pc-7',
      UtcTime: '2026-01-01 10:00:00.123',
      Image: 'C:\\Windows\\System32\\cmd.exe',
      CommandLine: 'cmd /c whoami',
      User: 'CORP\\alice',
    });
    expect(event).toMatchObject({ category: 'process_creation', product: 'windows', service: 'sysmon', host: 'pc-7' });
    expect(event.at).toBe('2026-01-01T10:00:00.123Z');
  });

  test('a file of CloudTrail gives an event for each of its records', () => {
    const Records = ['ConsoleLogin', 'CreateUser'].map((eventName) => ({
      eventTime: '2026-01-01T00:00:00Z',
      eventSource: 'iam.amazonaws.com',
      eventName,
      userIdentity: { type: 'Root' },
    }));
    const { events } = readEvents(JSON.stringify({ Records }), batch);
    expect(events.map(({ action, product, service }) => [action, product, service])).toEqual([
      ['ConsoleLogin', 'aws', 'cloudtrail'],
      ['CreateUser', 'aws', 'cloudtrail'],
    ]);
  });

  test('fields of objects in a list are lists, and no name changes an object of the service', () => {
    const { fields } = only('{"a":[{"b":1},{"b":"x"}],"c":["y",2,null],"__proto__":{"polluted":true},"d":null}');
    expect(fields).toMatchObject({ 'a.b': ['1', 'x'], c: ['y', '2'] });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('a line that begins as JSON and is none is kept as text', () => {
    expect(only('{"a":1')).toMatchObject({ format: 'text', message: '{"a":1' });
  });
});

describe('a time', () => {
  const cef = (rt: string) => only(`CEF:0|v|p|1|1|n|5|rt=${rt} src=10.0.0.1`).at;
  const json = (value: unknown) => only({ time: value }).at;
  const read = '2026-01-01T08:09:10.000Z';
  const precise = '2026-01-01T08:09:10.250Z';

  test.each([
    ...[
      'Jan  1 08:09:10',
      'Jan 01 2026 08:09:10',
      'Jan 01 2026 10:09:10 CEST',
      'Jan 01 2026 03:09:10.000 EST',
      '1767254950',
    ],
    ...['1767254950000', 'Thu Jan  1 08:09:10 2026', '01/Jan/2026:09:09:10 +0100', 'Thu, 01 Jan 2026 08:09:10 GMT'],
    ...[
      '2026/01/01 08:09:10',
      '20260101T080910Z',
      '2026-01-01T08:09:10',
      '2026-01-01 08:09:10 UTC',
      '2026-01-01T03:09:10-05:00',
    ],
  ])('%s is read', (text) => {
    expect([cef(text), json(text)]).toEqual([read, read]);
  });

  test.each([
    'Jan  1 08:09:10.250',
    'Jan 01 2026 08:09:10.250 UTC',
    '2026-01-01 08:09:10,250',
    '/Date(1767254950250)/',
    1767254950.25,
  ])('the fraction of %s is read', (text) => expect(json(text)).toBe(precise));

  test.each([
    'Jan 32 2026 08:09:10',
    'Xyz 01 2026 08:09:10',
    '2026-13-01T08:09:10Z',
    '2026-01-01T24:09:10Z',
    'Jan  1 08:09:10 XYZ',
    'now',
  ])('%s is none', (text) => expect(json(text)).toBe(receivedAt));

  test('of a header of syslog may have a fraction, or the year on either side', () => {
    expect(only('<34>Jan  1 08:09:10.250 h app: x').at).toBe(precise);
    expect(only('<34>Jan  1 08:09:10 2026 h app: x').at).toBe(read);
    expect(only('<166>Jan 01 2026 08:09:10 fw1 : %ASA-6-302013: Built')).toMatchObject({ at: read, host: 'fw1' });
    expect(only('<166>Jan 01 2026 08:09:10: %ASA-6-302013: Built').at).toBe(read);
  });

  test('is found in an event of Windows, and where day and time are separate fields', () => {
    const System = { EventID: 1102, TimeCreated: { '#attributes': { SystemTime: read } } };
    expect(only({ Event: { System } }).at).toBe(read);
    expect(only({ date: '2026-01-01', time: '08:09:10' }).at).toBe(read);
  });

  test('that is none in one field does not hide that of another, nor that of the header', () => {
    expect(only({ time: 0.35, '@timestamp': read }).at).toBe(read);
    expect(only('<34>1 2026-01-01T08:09:10Z h app - - - {"time":0.35}').at).toBe(read);
    expect(only('<34>Jan  1 08:09:10 h CEF:0|v|p|1|1|n|5|rt=0').at).toBe(read);
  });
});

test.each([1e20, 9e307, 1e308, Number.MAX_VALUE, -1e308])('the number %s is no time, and the batch ends', (number) => {
  const [event] = readEvents(JSON.stringify({ time: number, msg: 'one' }), { ...batch, format: 'json' }).events;
  expect(event?.at).toBe(receivedAt);
});

test('blank lines are no events, and a time far ahead is that of the receipt', () => {
  const text = 'one\n\n \r\n{"time":"2099-01-01T00:00:00Z","msg":"two"}\n';
  const { events } = readEvents(text, { ...batch, format: 'json' });
  expect(events.map(({ message, at }) => [message, at])).toEqual([
    ['one', receivedAt],
    ['two', receivedAt],
  ]);
});

describe('a batch has a budget: behind it a line is kept as text', () => {
  const FIELDS = 250;
  const named = (line: number) => Object.fromEntries(Array.from({ length: FIELDS }, (_, n) => [`n${line}_${n}`, 1]));
  const list = () => ({ a: Array.from({ length: 9_000 }, () => 0) });
  const cef = (line: number) => `CEF:0|v|p|1|1|n|5|${Object.keys(named(line)).join('=1 ')}=1`;
  const sd = (line: number) => `<34>1 2026-01-01T00:00:00Z h a - - [x ${Object.keys(named(line)).join('="1" ')}="1"] m`;

  test.each<[string, number, (line: number) => object | string]>([
    ['names of JSON', MAX_NAMES / FIELDS, named],
    ['values of JSON', MAX_BATCH_VALUES / 9_000, list],
    ['values of JSON behind a header', MAX_BATCH_VALUES / 9_000, () => `<34>1 - h a - - - ${JSON.stringify(list())}`],
    ['names of CEF', MAX_NAMES / FIELDS, cef],
    ['names of structured data', MAX_NAMES / FIELDS, sd],
  ])('%s', (_, most, line) => {
    const lines = Array.from({ length: Math.ceil(most) + 30 }, (__, n) => line(n));
    const text = lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
    const { events } = readEvents(text, batch);
    const isWhole = events.map(({ fields }) => Object.keys(fields).some((name) => /^(?:a$|n\d|x\.n\d)/.test(name)));
    expect(events).toHaveLength(lines.length);
    expect(isWhole.indexOf(false)).toBeGreaterThan(most * 0.9);
    expect(isWhole.lastIndexOf(true)).toBeLessThanOrEqual(most);
    expect(inOneTurn(countEvents(text, batch))).toEqual({ timesReplaced: 0, isOver: true });
  });

  test('an event has 300 fields, in whatever format', () => {
    const many = Array.from({ length: 400 }, (_, n) => `k${n}`);
    const event = (line: string) => Object.keys(only(line).fields).length;
    expect(event(`CEF:0|v|p|1|1|n|5|${many.join('=1 ')}=1`)).toBe(307);
    expect(event(`<34>1 2026-01-01T00:00:00Z h a - - [x ${many.join('="1" ')}="1"] m`)).toBe(303);
    expect(event(JSON.stringify(Object.fromEntries(many.map((name) => [name, 1]))))).toBe(300);
  });

  test('and no event has more than 10,000 values', () => {
    expect(only(JSON.stringify({ a: Array.from({ length: 10_001 }, () => 0) })).format).toBe('text');
  });
});
