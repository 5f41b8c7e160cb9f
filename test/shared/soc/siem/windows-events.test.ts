import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { looksAt } from '#shared/soc/detection/ruleset.ts';
import { namedInserts } from '#shared/soc/siem/event-inserts.ts';
import { readEvents } from '#shared/soc/siem/read-events.ts';
import { inOneTurn } from '../../../support/all-turns.ts';

const batch = {
  sourceId: '019bc0ab-2400-7334-8000-0004e2031323',
  format: 'auto',
  receivedAt: '2026-01-02T00:00:00.000Z',
  oldest: '2000-01-01T00:00:00.000Z',
  xml: SaxesParser,
  inserts: namedInserts,
} as const;

function lineRead(line: string) {
  const [event] = inOneTurn(readEvents(line, batch)).events;
  if (!event) throw new Error('no event');
  return event;
}
const read = (line: object) => lineRead(JSON.stringify(line));

const CHANNEL = 'Microsoft-Windows-Sysmon/Operational';

/** One event as shippers write it; the value is `CommandLine` of the event. */
const SHAPES: Record<string, object> = {
  NXLog: { Channel: CHANNEL, EventID: 1, Hostname: 'pc-7', CommandLine: 'whoami' },
  Winlogbeat: {
    winlog: { channel: CHANNEL, event_id: '1', computer_name: 'pc-7', event_data: { CommandLine: 'whoami' } },
  },
  Wazuh: {
    data: {
      win: { system: { channel: CHANNEL, eventID: '1', computer: 'pc-7' }, eventdata: { commandLine: 'whoami' } },
    },
  },
  OpenTelemetry: {
    body: {
      channel: CHANNEL,
      event_id: { id: 1, qualifiers: 0 },
      computer: 'pc-7',
      event_data: { CommandLine: 'whoami' },
    },
  },
  Velociraptor: {
    System: { Channel: CHANNEL, EventID: { Value: 1 }, Computer: 'pc-7' },
    EventData: { CommandLine: 'whoami' },
  },
  'XML as JSON': {
    Event: {
      System: { Channel: CHANNEL, EventID: { '#attributes': { Qualifiers: 0 }, '#text': 1 }, Computer: 'pc-7' },
      EventData: { CommandLine: 'whoami' },
    },
  },
};

test.each(Object.entries(SHAPES))('an event in the shape of %s has its own names', (_, line) => {
  const event = read(line);
  expect(event).toMatchObject({ host: 'pc-7', product: 'windows', service: 'sysmon', category: 'process_creation' });
  expect(event.fields).toMatchObject({ Channel: CHANNEL, CommandLine: 'whoami' });
  expect(String(event.fields.EventID)).toBe('1');
});

const XML =
  `<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event"><System><Provider Name="Microsoft-Windows-Sysmon"/>` +
  `<EventID>1</EventID><TimeCreated SystemTime="2026-01-01T10:00:00.5Z"/><Channel>${CHANNEL}</Channel><Computer>pc-7</Computer>` +
  `</System><EventData><Data Name="CommandLine">cmd /c &quot;whoami&quot;</Data></EventData></Event>`;

test('an event as XML has its own names, also behind a header', () => {
  for (const line of [XML, `<14>Jan  1 10:00:00 relay sysmon: ${XML.replace(CHANNEL, 'Linux-Sysmon/Operational')}`]) {
    const event = lineRead(line);
    expect(event).toMatchObject({
      host: 'pc-7',
      service: 'sysmon',
      category: 'process_creation',
      at: '2026-01-01T10:00:00.500Z',
    });
    expect(event.product).toBe(line === XML ? 'windows' : 'linux');
    expect(event.fields).toMatchObject({ CommandLine: 'cmd /c "whoami"', Provider_Name: 'Microsoft-Windows-Sysmon' });
  }
  expect(lineRead('<Event><EventData>&x;</EventData>')).toMatchObject({ format: 'text', fields: {} });
});

test('names with spaces are also there without them, and a message of its own kind has its values', () => {
  const defender = { Channel: 'Microsoft-Windows-Windows Defender/Operational', EventID: 1116, 'Threat Name': 'EICAR' };
  expect(read(defender).fields).toMatchObject({ ThreatName: 'EICAR', 'Threat Name': 'EICAR' });
  const cleared = {
    System: { Channel: 'System', EventID: 104 },
    UserData: { LogFileCleared: { SubjectUserName: 'eve' } },
  };
  const shapes = [
    cleared,
    {
      winlog: { channel: 'System', event_id: '104', user_data: { xml_name: 'LogFileCleared', SubjectUserName: 'eve' } },
    },
    { data: { win: { system: { channel: 'System', eventID: '104' }, logFileCleared: { subjectUserName: 'eve' } } } },
  ];
  for (const shape of shapes) expect(read(shape).fields).toMatchObject({ SubjectUserName: 'eve', Channel: 'System' });
});

test('a value of the event is read, not a column of its shipper with the same name', () => {
  const row = {
    EventLog: 'Microsoft-Windows-TaskScheduler/Operational',
    EventID: 142,
    UserName: 'NT AUTHORITY\\SYSTEM',
  };
  const data = '<Data Name="TaskName">\\Backup</Data><Data Name="UserName">eve</Data>';
  const EventData = `<DataItem type="System.XmlData"><EventData>${data}</EventData></DataItem>`;
  expect(read({ ...row, EventData }).fields).toMatchObject({ TaskName: '\\Backup', UserName: 'eve' });
  const nxlog = { Channel: 'Microsoft-Windows-Windows Defender/Operational', SourceName: 'Microsoft-Windows-Defender' };
  expect(read({ ...nxlog, 'Source Name': 'Real-Time Protection' }).fields).toMatchObject({
    SourceName: 'Real-Time Protection',
    Provider_Name: 'Microsoft-Windows-Defender',
  });
});

test('values without names have those of their event, and of an unknown event a number', () => {
  const inserts = (Channel: string, EventID: number, ...StringInserts: (string | number)[]) =>
    read({ Channel, EventID, Computer: 'pc-7', StringInserts }).fields;
  expect(inserts('Security', 4634, 'S-1-5-18', 'eve', 'CORP', '0x3e7', 3)).toMatchObject({
    TargetUserName: 'eve',
    TargetDomainName: 'CORP',
    LogonType: '3',
  });
  expect(inserts('System', 7036, 'Windows Defender', 'stopped')).toMatchObject({
    param1: 'Windows Defender',
    param2: 'stopped',
    Data: ['Windows Defender', 'stopped'],
  });
});

test('several values without names are a list', () => {
  const xml = XML.replace(/<Data .*<\/Data>/, '<Data>HostApplication=powershell</Data><Data>EngineVersion=2.0</Data>');
  expect(lineRead(xml).fields.Data).toEqual(['HostApplication=powershell', 'EngineVersion=2.0']);
});

test('a started process of the security log has the names of process_creation', () => {
  const started = { Channel: 'Security', EventID: 4688, NewProcessName: 'C:\\x.exe', ParentProcessName: 'C:\\y.exe' };
  expect(read(started)).toMatchObject({
    category: 'process_creation',
    fields: { Image: 'C:\\x.exe', ParentImage: 'C:\\y.exe' },
  });
});

test('JSON with a channel of its own is no event of Windows', () => {
  expect(read({ channel: 'general', text: 'hello' })).toMatchObject({ product: null, fields: { channel: 'general' } });
});

describe('a rule looks at the events of its log source', () => {
  const cases: [channel: string, event: object, wanted: { category?: string; service?: string }][] = [
    ['Microsoft-Windows-PowerShell/Operational', { EventID: 4104 }, { category: 'ps_script' }],
    ['Microsoft-Windows-PowerShell/Operational', { EventID: 4103 }, { category: 'ps_module', service: 'powershell' }],
    [CHANNEL, { EventID: 17 }, { category: 'pipe_created' }],
    [CHANNEL, { EventID: 12, EventType: 'DeleteKey' }, { category: 'registry_delete' }],
    [CHANNEL, { EventID: 12, EventType: 'CreateKey' }, { category: 'registry_event' }],
    [CHANNEL, { EventID: 13, EventType: 'SetValue' }, { category: 'registry_set' }],
    [CHANNEL, { EventID: 13, EventType: 'SetValue' }, { category: 'registry_event' }],
    ['DNS Server', { EventID: 150 }, { service: 'dns-server' }],
    ['Microsoft-Windows-AppLocker/EXE and DLL', { EventID: 8004 }, { service: 'applocker' }],
  ];
  test.each(cases)('%s, %j: %j', (Channel, event, wanted) => {
    const source = { category: null, product: 'windows', service: null, ...wanted };
    expect(looksAt(source, read({ Channel, ...event }))).toBe(true);
    expect(looksAt({ ...source, category: 'file_event' }, read({ Channel, ...event }))).toBe(false);
  });
});
