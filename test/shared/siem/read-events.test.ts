import { describe, expect, test } from 'vitest';
import type { BatchFormat } from '#shared/siem/event.ts';
import { readEvents } from '#shared/siem/read-events.ts';

const receivedAt = '2026-01-02T00:00:00.000Z';
const sourceId = '019bc0ab-2400-7334-8000-0004e2031323';

function only(line: string | object, format: BatchFormat = 'auto') {
  const [event, ...more] = readEvents(typeof line === 'string' ? line : JSON.stringify(line), {
    ...{ sourceId, format, receivedAt },
  });
  expect(more).toEqual([]);
  if (!event) throw new Error('no event');
  return event;
}

describe('syslog of RFC 5424', () => {
  test('an example of the RFC gives its parts, without the byte order mark', () => {
    const raw =
      '<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473 iut="3" eventSource="Application" eventID="1011"] \uFEFFAn application event log entry...';
    expect(only(raw)).toEqual({
      ...{ at: '2003-10-11T22:14:15.003Z', receivedAt, sourceId, format: 'syslog', severity: 'low' },
      ...{ host: 'mymachine.example.com', user: null, action: null, category: null, product: null },
      ...{ service: 'evntslog', message: 'An application event log entry...', raw },
      fields: {
        ...{ facility: 'local4', level: 'notice', appname: 'evntslog', msgid: 'ID47' },
        ...{ 'exampleSDID@32473.iut': '3', 'exampleSDID@32473.eventID': '1011' },
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
      ...{ at: '2025-10-11T22:14:15.000Z', host: 'mymachine', service: 'su', product: 'linux', user: 'lonvick' },
      ...{ severity: 'critical', message: "'su root' failed for lonvick on /dev/pts/8" },
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
      ...{ at: '2026-01-01T08:00:00.123Z', host: 'web-01', service: 'sshd', product: 'linux', user: 'admin' },
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
      ...{
        format: 'cef',
        severity: 'critical',
        product: 'threat|manager',
        user: 'bob',
        at: '2026-01-01T00:00:00.000Z',
      },
      ...{ message: 'Detected a threat=x. No action', action: 'worm stopped' },
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
      ...{ format: 'ecs', at: '2026-01-01T00:00:00.500Z', host: 'dc-1', user: 'alice', action: 'logon-failed' },
      ...{ category: 'authentication', product: 'windows', service: 'security' },
    });
    expect(event.fields).toMatchObject({
      EventID: 4625,
      TargetUserName: 'alice',
      'winlog.event_data.IpAddress': '10.0.0.7',
    });
  });

  test('OCSF is known by its class, and its severity by its id', () => {
    const event = only({
      ...{ class_uid: 3002, class_name: 'Authentication', activity_name: 'Logon', severity_id: 4, time: 1767225600000 },
      ...{ actor: { user: { name: 'bob' } }, device: { hostname: 'web-01' }, metadata: { product: { name: 'Okta' } } },
    });
    expect(event).toMatchObject({
      ...{ format: 'ocsf', severity: 'high', at: '2026-01-01T00:00:00.000Z', host: 'web-01', user: 'bob' },
      ...{ category: 'Authentication', product: 'Okta', action: 'Logon' },
    });
  });

  test('Sysmon as plain JSON is a process creation of Windows', () => {
    const event = only({
      ...{
        EventID: 1,
        Channel: 'Microsoft-Windows-Sysmon/Operational',
        Computer: 'pc-7',
        UtcTime: '2026-01-01 10:00:00.123',
      },
      ...{ Image: 'C:\\Windows\\System32\\cmd.exe', CommandLine: 'cmd /c whoami', User: 'CORP\\alice' },
    });
    expect(event).toMatchObject({ category: 'process_creation', product: 'windows', service: 'sysmon', host: 'pc-7' });
    expect(event.at).toBe('2026-01-01T10:00:00.123Z');
  });

  test('a file of CloudTrail gives an event for each of its records', () => {
    const Records = ['ConsoleLogin', 'CreateUser'].map((eventName) => ({
      ...{
        eventTime: '2026-01-01T00:00:00Z',
        eventSource: 'iam.amazonaws.com',
        eventName,
        userIdentity: { type: 'Root' },
      },
    }));
    const events = readEvents(JSON.stringify({ Records }), { sourceId, format: 'auto', receivedAt });
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

test('blank lines are no events, and a time far ahead is that of the receipt', () => {
  const events = readEvents('one\n\n \r\n{"time":"2099-01-01T00:00:00Z","msg":"two"}\n', {
    ...{ sourceId, format: 'json', receivedAt },
  });
  expect(events.map(({ message, at }) => [message, at])).toEqual([
    ['one', receivedAt],
    ['two', receivedAt],
  ]);
});
