import { gzipSync } from 'node:zlib';
import { BATCH, type Batch } from './sender.ts';

type Source = { logsource: string; program: string; text: string };

/** Log sources with the fields that most of their rules look at, about as often as in public collections of rules. */
const SOURCES: readonly (Source & { share: number })[] = [
  { share: 45, logsource: 'category: process_creation, product: windows', program: 'Image', text: 'CommandLine' },
  { share: 8, logsource: 'category: registry_set, product: windows', program: 'TargetObject', text: 'Details' },
  { share: 8, logsource: 'category: file_event, product: windows', program: 'Image', text: 'TargetFilename' },
  { share: 7, logsource: 'category: image_load, product: windows', program: 'Image', text: 'ImageLoaded' },
  {
    share: 6,
    logsource: 'category: network_connection, product: windows',
    program: 'Image',
    text: 'DestinationHostname',
  },
  { share: 8, logsource: 'product: windows, service: security', program: 'ProcessName', text: 'ObjectName' },
  { share: 8, logsource: 'product: linux, service: sshd', program: 'user', text: 'message' },
  { share: 10, logsource: 'category: webserver', program: 'cs-user-agent', text: 'cs-uri-query' },
];
const CYCLE = SOURCES.flatMap((source) => Array<Source>(source.share).fill(source));
const PROGRAMS = ['powershell', 'cmd', 'rundll32', 'wscript', 'msbuild', 'certutil'];

/**
 * Rules in the forms of public collections: a program and options of its own, options of a program that many rules name, a word anywhere, an
 * expression, an exclusion.
 */
export const manyRules = (count: number): string[] => Array.from({ length: count }, (_, n) => ruleText(n));

function ruleText(n: number): string {
  const { logsource, program, text } = CYCLE[(n * 37) % CYCLE.length] ?? CYCLE[0] ?? fail();
  const name = PROGRAMS[n % PROGRAMS.length];
  const searches: Record<number, string> = {
    0: `  selection: ['::tool${n}', 'tool${n}_']\n  condition: selection`,
    1: `  selection: { '${text}|re': '\\s/tool${n}\\s+(on|off)' }\n  condition: selection`,
    2: `  s1: { '${program}|endswith': '\\${name}.exe' }\n  s2: { '${text}|contains|all': ['-set ', 'value${n} '] }\n  condition: s1 and s2`,
    3: `  s1: { '${program}|endswith': ['\\${name}.exe', '\\pwsh.exe'] }\n  s2: { '${text}|contains|windash': ' -enc${n} ' }\n  condition: s1 and s2`,
  };
  const usual =
    `  s1: { '${program}|endswith': ['\\tool${n}.exe', '\\tool${n}-x64.exe'] }\n  s2: { '${text}|contains': [' /option${n} ', ' -o${n} '] }\n` +
    `  filter: { 'ParentImage|startswith': 'C:\\Program Files\\Tool${n}\\' }\n  condition: 1 of s* and not filter`;
  // one in forty has words alone, one in forty an expression alone
  const form = searches[n % 40 < 2 ? n % 40 : 2 + (n % 8)] ?? usual;
  return `title: Tool ${n}\nid: bench-${n}\nlogsource: { ${logsource} }\ndetection:\n${form}\n`;
}

/** Events of a batch that a rule matches: the first rule of processes with a program of its own. */
export const MATCHING = 5;

/** A batch of events of all log sources, near to the rules: they have the programs and the signs of options, and few have a rule's own text. */
export function mixedBatch(name: string): Batch {
  const at = Date.now();
  const lines = Array.from({ length: BATCH }, (_, n) =>
    lineOf(n, { name, time: new Date(at - (n % 1_000)).toISOString() }),
  );
  const text = lines.join('\n');
  const packed = gzipSync(text, { level: 1 });
  const body = { batchId: name, source: 'bench', content: packed.toString('base64'), encoding: 'gzip+base64' };
  return { bytes: text.length, packed: packed.length, body };
}

type Made = { name: string; time: string };

function lineOf(n: number, { name, time }: Made): string {
  const host = `pc-${n % 200}.example.com`;
  const program = PROGRAMS[n % PROGRAMS.length];
  const own = `unique-${name}-${n}`;
  const image = `C:\\Windows\\System32\\${program}.exe`;
  const command = `${program}.exe -set value /quiet -o C:\\Users\\user${n % 90}\\AppData\\Local\\Temp\\${own}.ps1 -enc SQBFAFgA`;
  if (n < MATCHING)
    return sysmon({ host, time, id: 1 }, { Image: `C:\\x\\tool${MATCHED}.exe`, CommandLine: `x -o${MATCHED} ${own}` });
  if (n % 10 < 4)
    return sysmon(
      { host, time, id: 1 },
      { Image: image, CommandLine: command, ParentImage: 'C:\\Windows\\explorer.exe', User: `EX\\user${n % 90}` },
    );
  if (n % 10 === 4)
    return sysmon(
      { host, time, id: 13 },
      { Image: image, TargetObject: `HKLM\\Software\\Vendor${n % 70}\\Run`, Details: own },
    );
  if (n % 10 === 5) return sysmon({ host, time, id: 11 }, { Image: image, TargetFilename: `C:\\Temp\\${own}.dll` });
  if (n % 10 === 6)
    return sysmon(
      { host, time, id: 3 },
      { Image: image, DestinationHostname: `${own}.example.net`, DestinationPort: 443 },
    );
  if (n % 10 === 7)
    return `10.0.${n % 50}.9 - user${n % 90} [${clf(time)}] "GET /shop?id=${own}&set=value HTTP/1.1" 200 ${n} "-" "Mozilla/5.0 (X11)"`;
  return `<86>1 ${time} ${host} sshd ${n} - - Accepted publickey for user${n % 90} from 10.0.${n % 50}.7 port ${1_024 + n} ssh2 ${own}`;
}

type Head = { host: string; time: string; id: number };
const sysmon = ({ host, time, id }: Head, data: object): string =>
  JSON.stringify({
    '@timestamp': time,
    host: { name: host },
    winlog: { channel: 'Microsoft-Windows-Sysmon/Operational', event_id: id, computer_name: host, event_data: data },
  });

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const clf = (time: string): string =>
  `${time.slice(8, 10)}/${MONTHS[Number(time.slice(5, 7)) - 1]}/${time.slice(0, 4)}:${time.slice(11, 19)} +0000`;

const fail = (): never => {
  throw new Error('there is a log source');
};

/** A rule of processes with a program of its own, which the first events of each batch match. */
export const MATCHED =
  Array.from({ length: 400 }, (_, n) => n).find(
    (n) =>
      n > 40 &&
      ruleText(n).includes('process_creation') &&
      ruleText(n).includes('tool') &&
      ruleText(n).includes('filter:'),
  ) ?? fail();
