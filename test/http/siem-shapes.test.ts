import { expect, test } from 'vitest';
import { ago, logCollector } from '../support/log-collector.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

const CHANNEL = 'Microsoft-Windows-Sysmon/Operational';
const COMMAND = '"C:\\Windows\\System32\\whoami.exe" /all';
const at = ago(120);

/** Values of Sysmon's event 1, in their order. */
const VALUES = {
  RuleName: '-',
  UtcTime: at.replace('T', ' ').replace('Z', ''),
  ProcessGuid: '{0197231E-005A-6928-A50B-000000000D00}',
  ProcessId: '4460',
  Image: 'C:\\Windows\\System32\\whoami.exe',
  FileVersion: '10.0.26100.1882',
  Description: 'whoami - displays logged on user information',
  Product: 'Microsoft® Windows® Operating System',
  Company: 'Microsoft Corporation',
  OriginalFileName: 'whoami.exe',
  CommandLine: COMMAND,
  CurrentDirectory: 'C:\\Users\\eve\\',
  User: 'CORP\\eve',
};

const PAIRS = Object.entries(VALUES);
const xmlOf = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const data = PAIRS.map(([name, value]) => `<Data Name="${name}">${xmlOf(value)}</Data>`).join('');
const XML =
  `<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event"><System><Provider Name="Microsoft-Windows-Sysmon"/><EventID>1` +
  `</EventID><TimeCreated SystemTime="${at}"/><Channel>${CHANNEL}</Channel><Computer>pc-7</Computer></System>` +
  `<EventData>${data}</EventData></Event>`;

const text = (value: string) => ({ stringValue: value });
const list = (entries: object[]) => ({ arrayValue: { values: entries } });
const map = (members: Record<string, object>) => ({
  kvlistValue: { values: Object.entries(members).map(([key, value]) => ({ key, value })) },
});
const attributes = (members: Record<string, string>) =>
  Object.entries(members).map(([key, value]) => ({ key, value: text(value) }));

const time = { timeUnixNano: `${Date.parse(at)}000000`, severityNumber: 9, severityText: 'Information' };
const requestOf = (...logRecords: object[]) => ({
  resourceLogs: [
    {
      resource: { attributes: attributes({ 'host.name': 'collector-1', 'service.name': 'otelcol' }) },
      scopeLogs: [{ scope: { name: 'otelcol/windowseventlogreceiver' }, logRecords }],
    },
  ],
});
const body = map({
  channel: text(CHANNEL),
  computer: text('pc-7'),
  event_id: map({ id: { intValue: '1' }, qualifiers: { intValue: '0' } }),
  provider: map({ name: text('Microsoft-Windows-Sysmon') }),
  system_time: text(at),
  event_data: map({ data: list(PAIRS.map(([name, value]) => map({ [name]: text(value) }))) }),
});

/** A batch of each shipper with the same event. */
const SHAPES: Record<string, object | string> = {
  'OpenTelemetry, a request a line': requestOf({ ...time, body }),
  'OpenTelemetry, a whole file': JSON.stringify(requestOf({ ...time, body }), null, 2),
  'OpenTelemetry, raw': requestOf({ ...time, body: text(XML) }),
  'Fluent Bit': {
    ProviderName: 'Microsoft-Windows-Sysmon',
    Qualifiers: '',
    EventID: 1,
    Version: 5,
    Level: 4,
    Task: 1,
    TimeCreated: at.replace('T', ' ').replace(/\..*/, ' +0000'),
    Channel: CHANNEL,
    Computer: 'pc-7',
    Message: 'Process Create:',
    StringInserts: Object.values(VALUES),
  },
  'Azure Event': {
    TimeGenerated: at,
    Source: 'Microsoft-Windows-Sysmon',
    EventLog: CHANNEL,
    Computer: 'pc-7',
    EventID: 1,
    EventLevelName: 'information',
    RenderedDescription: 'Process Create:',
    Type: 'Event',
    EventData: `<DataItem type="System.XmlData" time="${at}" sourceHealthServiceId="x"><EventData>${data}</EventData></DataItem>`,
  },
};

const RULE = `title: Whoami with all
logsource: { product: windows, category: process_creation }
detection:
  selection: { Image|endswith: '\\whoami.exe', CommandLine: '*whoami.exe" /all', OriginalFileName: whoami.exe, User|contains: eve }
  condition: selection
`;

test('a rule of Sigma meets the event of Windows in the shape of each shipper', async () => {
  const { send, done, admin } = await logCollector(system);
  const rule = await admin.ok('createDetectionRule', { body: { content: RULE } });
  const shapes = Object.entries(SHAPES);
  for (const [name, line] of shapes) await send(name, [line], name);
  await done(...shapes.map(([name]) => name));
  const { data: alerts } = await admin.ok('listAlerts', { query: { ruleId: rule.id } });
  expect(alerts.map(({ eventCount }) => eventCount)).toEqual([shapes.length]);
  const { data: events } = await admin.ok('searchEvents', { query: { ruleId: rule.id } });
  expect(events).toHaveLength(shapes.length);
  for (const event of events) {
    expect(event).toMatchObject({ host: 'pc-7', severity: 'info', service: 'sysmon' });
    expect(Math.abs(Date.parse(event.at) - Date.parse(at))).toBeLessThan(1000);
    expect(event.fields).toMatchObject({ Channel: CHANNEL, Provider_Name: 'Microsoft-Windows-Sysmon' });
  }
});

test('the records of a request are events with their resource, and a text is read as the line that it is', async () => {
  const { send, done, admin } = await logCollector(system);
  const about = { 'log.file.name': 'auth.log' };
  const line = `<86>1 ${ago(90)} web-01 sshd 812 - - Failed password for bob from 203.0.113.9 port 22 ssh2`;
  await send('1', [
    requestOf(
      { ...time, body: text(line), attributes: attributes(about) },
      { ...time, severityNumber: 17, body: text('cannot pay'), attributes: attributes({ 'user.name': 'alice' }) },
      { observedTimeUnixNano: time.timeUnixNano, timeUnixNano: '0', body: text('{"msg":"paid","user":"bob"}') },
    ),
    { resourceLogs: [] },
  ]);
  await done('1');
  const { data: events } = await admin.ok('searchEvents', {});
  const of = (word: string) => events.find(({ message }) => message.includes(word));
  expect(events).toHaveLength(3);
  expect(of('Failed')).toMatchObject({ host: 'web-01', user: 'bob', service: 'sshd', product: 'linux', at });
  expect(of('Failed')?.fields).toMatchObject({ ...about, 'service.name': 'otelcol' });
  expect(of('pay')).toMatchObject({ host: 'collector-1', user: 'alice', service: 'otelcol', severity: 'high', at });
  expect(of('paid')).toMatchObject({ host: 'collector-1', user: 'bob', at });
});

test('a request with too much for its size is refused, and nothing of it is stored', async () => {
  const { collector, admin } = await logCollector(system);
  const large = { attributes: attributes({ 'host.name': 'x'.repeat(200_000) }) };
  const records = (count: number) => [{ logRecords: Array.from({ length: count }, () => ({ timeUnixNano: '1' })) }];
  for (const [batchId, resource, count] of [
    ['repeated', large, 200],
    ['many', {}, 100_001],
  ] as const) {
    const request = { resourceLogs: [{ resource, scopeLogs: records(count) }] };
    const content = `${JSON.stringify(request)}\n{}`;
    const answer = await collector.call('sendEvents', { body: { batchId, source: 'otel', content } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'payload_too_large' } });
  }
  expect((await admin.ok('searchEvents', {})).data).toEqual([]);
});

test('protobuf of OpenTelemetry is refused with the way to send JSON', async () => {
  const { collector } = await logCollector(system);
  const query = { batchId: 'protobuf', source: 'otel' };
  const headers = { 'content-type': 'application/x-protobuf' };
  const path = '/api/v1/collector_communication/events';
  const answer = await collector.send('POST', path, { query, headers, body: '\n\u0002\u0012\u0000' });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'unsupported_media_type', message: expect.stringContaining('send JSON') },
  });
});
