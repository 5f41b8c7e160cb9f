import { fieldAt, plainAt, textAt } from '#shared/reports/readers/json.ts';
import type { EventFields } from './event.ts';
import type { namedInserts } from './event-inserts.ts';
import { firstOf } from './fields.ts';
import { readEventData, type XmlParser } from './formats/event-xml.ts';

type WindowsSource = { service: string | null; category: string | null };

/** Channels of the Windows event log by Sigma's service, as in SigmaHQ's configuration of log sources. */
const SERVICES: Readonly<Record<string, readonly string[]>> = {
  security: ['security'],
  system: ['system'],
  application: ['application'],
  'powershell-classic': ['windows powershell'],
  powershell: ['microsoft-windows-powershell/operational', 'powershellcore/operational'],
  sysmon: ['microsoft-windows-sysmon/operational', 'linux-sysmon/operational'],
  taskscheduler: ['microsoft-windows-taskscheduler/operational'],
  windefend: ['microsoft-windows-windows defender/operational'],
  applocker: ['msi and script', 'exe and dll', 'packaged app-deployment', 'packaged app-execution'].map(
    (name) => `microsoft-windows-applocker/${name}`,
  ),
  'appmodel-runtime': ['microsoft-windows-appmodel-runtime/admin'],
  'appxdeployment-server': ['microsoft-windows-appxdeploymentserver/operational'],
  'appxpackaging-om': ['microsoft-windows-appxpackaging/operational'],
  'application-experience': ['microsoft-windows-application-experience/program-telemetry'],
  'bits-client': ['microsoft-windows-bits-client/operational'],
  bitlocker: ['microsoft-windows-bitlocker/bitlocker management'],
  capi2: ['microsoft-windows-capi2/operational'],
  'certificateservicesclient-lifecycle-system': [
    'microsoft-windows-certificateservicesclient-lifecycle-system/operational',
  ],
  'codeintegrity-operational': ['microsoft-windows-codeintegrity/operational'],
  'diagnosis-scripted': ['microsoft-windows-diagnosis-scripted/operational'],
  'dns-client': ['microsoft-windows-dns client events/operational', 'microsoft-windows-dns-client/operational'],
  'dns-server': ['dns server'],
  'dns-server-analytic': ['microsoft-windows-dns-server/analytical'],
  'dns-server-audit': ['microsoft-windows-dns-server/audit'],
  'driver-framework': ['microsoft-windows-driverframeworks-usermode/operational'],
  'firewall-as': ['microsoft-windows-windows firewall with advanced security/firewall'],
  'hyper-v-worker': ['microsoft-windows-hyper-v-worker'],
  'iis-configuration': ['microsoft-iis-configuration/operational'],
  'kernel-event-tracing': ['microsoft-windows-kernel-eventtracing'],
  'kernel-shimengine': ['operational', 'diagnostic'].map((name) => `microsoft-windows-kernel-shimengine/${name}`),
  ldap: ['microsoft-windows-ldap-client/debug'],
  'lsa-server': ['microsoft-windows-lsa/operational'],
  'microsoft-servicebus-client': ['microsoft-servicebus-client'],
  'msexchange-management': ['msexchange management'],
  ntlm: ['microsoft-windows-ntlm/operational'],
  openssh: ['openssh/operational'],
  'printservice-admin': ['microsoft-windows-printservice/admin'],
  'printservice-operational': ['microsoft-windows-printservice/operational'],
  'security-mitigations': ['kernelmode', 'usermode'].map((name) => `microsoft-windows-security-mitigations/${name}`),
  sense: ['microsoft-windows-sense/operational'],
  'shell-core': ['microsoft-windows-shell-core/operational'],
  'smbclient-connectivity': ['microsoft-windows-smbclient/connectivity'],
  'smbclient-security': ['microsoft-windows-smbclient/security'],
  'smbserver-connectivity': ['microsoft-windows-smbserver/connectivity'],
  'terminalservices-localsessionmanager': ['microsoft-windows-terminalservices-localsessionmanager/operational'],
  vhdmp: ['microsoft-windows-vhdmp/operational'],
  wmi: ['microsoft-windows-wmi-activity/operational'],
};

const serviceOf = new Map(
  Object.entries(SERVICES).flatMap(([service, channels]) => channels.map((channel) => [channel, service] as const)),
);

/** Sigma's categories by the service and the id of an event. */
const CATEGORIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sysmon: {
    1: 'process_creation',
    2: 'file_change',
    3: 'network_connection',
    4: 'sysmon_status',
    5: 'process_termination',
    6: 'driver_load',
    7: 'image_load',
    8: 'create_remote_thread',
    9: 'raw_access_thread',
    10: 'process_access',
    11: 'file_event',
    12: 'registry_event',
    13: 'registry_set',
    14: 'registry_rename',
    15: 'create_stream_hash',
    16: 'sysmon_status',
    17: 'pipe_created',
    18: 'pipe_created',
    19: 'wmi_event',
    20: 'wmi_event',
    21: 'wmi_event',
    22: 'dns_query',
    23: 'file_delete',
    24: 'clipboard_capture',
    25: 'process_tampering',
    26: 'file_delete',
    27: 'file_block_executable',
    28: 'file_block_shredding',
    29: 'file_executable_detected',
    255: 'sysmon_error',
  },
  security: { 4688: 'process_creation' },
  powershell: { 4103: 'ps_module', 4104: 'ps_script' },
  'powershell-classic': { 400: 'ps_classic_start', 600: 'ps_classic_provider_start', 800: 'ps_classic_script' },
};

/** Sysmon's events 12 by what happened to the key. */
const OF_REGISTRY: Readonly<Record<string, string>> = {
  createkey: 'registry_add',
  deletekey: 'registry_delete',
  deletevalue: 'registry_delete',
};

/** The category that has all events of a narrower one, too. */
const WIDER: Readonly<Record<string, string>> = {
  registry_add: 'registry_event',
  registry_delete: 'registry_event',
  registry_rename: 'registry_event',
  registry_set: 'registry_event',
};

/** Whether an event of a category is also of the wanted one. */
export const isOfCategory = (category: string | null, wanted: string): boolean => {
  const own = category?.toLowerCase() ?? '';
  return own === wanted || WIDER[own] === wanted;
};

/** Sigma's service and category of an event of Windows. Undefined where the channel or the id has none. */
export function windowsSource(channel: string, fields: EventFields): Partial<WindowsSource> {
  const service = serviceOf.get(channel.toLowerCase());
  if (service === undefined) return {};
  const category = CATEGORIES[service]?.[String(fields.EventID ?? '')];
  const happened = category === 'registry_event' ? firstOf(fields, ['EventType'])?.toLowerCase() : undefined;
  const narrower = happened === undefined ? undefined : OF_REGISTRY[happened];
  const found = narrower ?? category;
  return { service, ...(found !== undefined && { category: found }) };
}

/** The fields of event 4688 by the names that Sysmon and rules of `process_creation` use. */
const OF_4688 = { NewProcessName: 'Image', ParentProcessName: 'ParentImage', ProcessCommandLine: 'CommandLine' };

/** Parents of the names and values that the message of an event defines, in lower case. */
const DATA = ['eventdata', 'event_data', 'userdata', 'user_data'];
/** The members of an event's head, by the ends of their names in lower case. The first that an event has counts. */
const HEAD: readonly (readonly [string, readonly string[]])[] = [
  ['Channel', ['system.channel', 'winlog.channel', 'body.channel', 'channel', 'eventlog']],
  [
    'EventID',
    [
      ...['system.eventid', 'system.eventid.value', 'system.eventid.#text', 'winlog.event_id', 'body.event_id.id'],
      ...['event_id.id', 'winlog.eventid'],
    ],
  ],
  ['Computer', ['system.computer', 'winlog.computer_name', 'body.computer', 'computer']],
  [
    'Provider_Name',
    [
      ...['system.provider.name', 'system.provider.#attributes.name', 'system.provider.@name', 'system.providername'],
      ...['winlog.provider_name', 'body.provider.name', 'provider.name', 'providername', 'sourcename', 'source'],
    ],
  ],
];

const ENDS = new Map(HEAD.flatMap(([own, ends]) => ends.map((end, rank) => [end, { own, rank }] as const)));
const HEADS = new Set(HEAD.map(([own]) => own));

/** The members of the head that a name may be, by its ends. */
function headsIn(name: string): { own: string; rank: number }[] {
  const parts = name.toLowerCase().split('.');
  return parts.flatMap((_, n) => ENDS.get(parts.slice(n).join('.')) ?? []);
}

/** The field of each member of the head, by the member's own name: the one that comes first in its list. */
function headIn(names: readonly string[]): Map<string, string> {
  const head = new Map<string, { name: string; rank: number }>();
  for (const name of names)
    for (const { own, rank } of meaningOf(name).heads)
      if (rank < (head.get(own)?.rank ?? Infinity)) head.set(own, { name, rank });
  return new Map([...head].map(([own, { name }]) => [own, name]));
}

/** The parts of reading that the worker alone loads: the function that takes batches counts their events without them. */
export type WindowsReading = { xml?: XmlParser | undefined; inserts?: typeof namedInserts | undefined };

/**
 * An event of Windows whose values are not members of its JSON, with them as members: rows of Azure's table `Event` have XML in
 * `EventData`, Fluent Bit lists the values in `StringInserts`.
 */
export function withWindowsValues(event: object, { xml: parser, inserts: named }: WindowsReading): object {
  const xml = textAt(event, 'EventData');
  const data = xml && parser && readEventData(xml, parser);
  if (data) return { ...event, EventData: data };
  const inserts = fieldAt(event, 'StringInserts');
  if (!Array.isArray(inserts) || !named) return event;
  const { service } = windowsSource(textAt(event, 'Channel') ?? '', {});
  const values = inserts.map((_, n) => plainAt(inserts, n) ?? '');
  return { ...named(service, plainAt(event, 'EventID') ?? '', values), ...event };
}

/** Fields whose presence shows that the event is one of Windows, in lower case. */
const MARKS = /(?:^|\.)(?:event_?data|system\.event_?id|winlog|event_id\.id)\b/;

type Meaning = { own: string; isData: boolean; isMark: boolean; heads: ReturnType<typeof headsIn> };
/** Events of one product share their names: the meaning of each is found once. A sender may use any names. */
const MAX_MEANINGS = 5_000;
const meanings = new Map<string, Meaning>();

function meaningOf(name: string): Meaning {
  const known = meanings.get(name);
  if (known) return known;
  const meaning = { ...ownName(name), isMark: MARKS.test(name.toLowerCase()), heads: headsIn(name) };
  if (meanings.size >= MAX_MEANINGS) meanings.clear();
  meanings.set(name, meaning);
  return meaning;
}

/**
 * Adds the fields of an event of Windows under their own names, which Sigma's rules use, beside the names of shippers: Winlogbeat,
 * Wazuh, OpenTelemetry, Velociraptor, Fluent Bit, NXLog, Azure, and the event as XML written in JSON.
 */
export function withWindowsNames(fields: EventFields): EventFields {
  const names = Object.keys(fields);
  const isWindows = 'Channel' in fields || names.some((name) => meaningOf(name).isMark);
  if (!isWindows) return fields;
  const add = (name: string, value: EventFields[string] | undefined) => {
    if (value !== undefined && name !== '' && name !== '__proto__' && !Object.hasOwn(fields, name))
      fields[name] = value;
  };
  for (const [own, name] of headIn(names)) add(own, fields[name]);
  const columns = new Set(names);
  for (const name of names) {
    const { own, isData } = meaningOf(name);
    // a column of the shipper, such as Azure's UserName, may have the name of a value: rules mean the value
    if (isData && columns.delete(own) && !HEADS.has(own)) delete fields[own];
    add(own, fields[name]);
  }
  if (String(fields.EventID) === '4688')
    for (const [name, other] of Object.entries(OF_4688)) if (Object.hasOwn(fields, name)) add(other, fields[name]);
  return fields;
}

/**
 * The name of a value in the message of an event: without its parents, without spaces, beginning with a capital. In Wazuh's events, a message of
 * its own kind stands beside `win.system`. `isData`: it is surely a value of the message.
 */
function ownName(name: string): { own: string; isData: boolean } {
  const parts = name.split('.');
  const isParent = (part: string, n: number) =>
    DATA.includes(part.toLowerCase()) || (n > 0 && parts[n - 1] === 'win' && part !== 'system');
  const parent = parts.slice(0, -1).findLastIndex(isParent);
  const isUserData = parts[parent]?.toLowerCase().startsWith('user') === true;
  const behind = parts.slice(parent + (isUserData && parts.length > parent + 2 ? 2 : 1));
  // OpenTelemetry's values are a list `data`, with an object each
  if (behind.length > 1 && behind[0] === 'data') behind.shift();
  const own = behind.join('.').replaceAll(' ', '');
  return parent < 0
    ? { own, isData: own !== name }
    : { own: own.slice(0, 1).toUpperCase() + own.slice(1), isData: true };
}
