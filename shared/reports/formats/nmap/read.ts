import { findingEvent } from '../../readers/finding.ts';
import { MAX_SERVICES } from '../../readers/inventories.ts';
import { bounded } from '../../readers/text.ts';
import { childrenOf, readXml, type XmlElement, type XmlEvent } from '../../readers/xml.ts';
import { LIMITS, type OpenReport, type PortRange, ReportError, type ReportEvent } from '../../report/report.ts';
import { addToHost, coverageOf, type Host, hostNamed, inventoryOf, newHost } from './host.ts';
import { portFindings, serviceOf } from './port.ts';
import { scriptFindings } from './script.ts';

/**
 * Nmap's XML (-oX, nmap.dtd 1.05): each open port is a finding of severity info, each vulnerability that an NSE script
 * names (the `vulns` library, `vulners`) one of its own on that port or host. Hosts come out as covered when they end.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  let host = newHost();
  let hosts = 0;
  let triedPorts = false;
  let finished: XmlElement | undefined;
  for await (const event of readXml(open(), (path) => CAPTURED.has(path))) {
    if (event.path === 'nmaprun' && event.kind === 'open') yield* aboutScan(event.element);
    else if (!event.path.startsWith('nmaprun')) throw notNmap();
    else if (event.path === 'nmaprun/host' && event.kind === 'open') {
      host = newHost(event.element);
      hosts += 1;
    } else if (event.path === 'nmaprun/host') {
      yield* inventoryOf(host, triedPorts);
      yield hostEnd(host, hosts);
    } else if (event.path === 'nmaprun/scaninfo') {
      const ports = portsTried(event.element);
      triedPorts ||= ports.length > 0;
      yield { kind: 'looked', ports };
    } else if (event.path === 'nmaprun/runstats/finished') finished = event.element;
    else if (event.kind === 'element') yield* readHostPart(host, event, hosts);
  }
  assertFinished(finished);
}

const CAPTURED = new Set([
  'nmaprun/scaninfo',
  'nmaprun/host/status',
  'nmaprun/host/address',
  'nmaprun/host/hostnames',
  'nmaprun/host/ports/extraports',
  'nmaprun/host/ports/port',
  'nmaprun/host/hostscript',
  'nmaprun/host/os',
  'nmaprun/runstats/finished',
]);

async function* readHostPart(host: Host, event: XmlEvent, number: number): AsyncGenerator<ReportEvent> {
  addToHost(host, event.element);
  const isPort = event.element.name === 'port';
  if (isPort && host.services.length < MAX_SERVICES) host.services.push(...serviceOf(event.element));
  if (!isPort && event.element.name !== 'hostscript') return;
  const name = hostNamed(host);
  const where = `host ${number}`;
  // A host without an address is rejected once, at its end.
  if (name === undefined) return;
  const port = isPort ? portFindings(name, event.element) : { drafts: hostScripts(name, event.element) };
  if (port === undefined) {
    yield { kind: 'rejected', reason: 'the port has no number or no protocol', where };
    return;
  }
  for (const draft of port.drafts) yield await findingEvent(draft, where);
}

function hostScripts(host: string, hostscript: XmlElement) {
  return childrenOf(hostscript, 'script').flatMap((script) => scriptFindings({ host }, script));
}

function hostEnd(host: Host, number: number): ReportEvent {
  const coverage = coverageOf(host);
  return (
    coverage ?? { kind: 'rejected', reason: 'the host has neither an address nor a name', where: `host ${number}` }
  );
}

function* aboutScan({ attributes: { version, args } }: XmlElement): Generator<ReportEvent> {
  yield { kind: 'tool', name: 'nmap', ...(version ? { version: bounded(version, LIMITS.name) } : {}) };
  if (runsScripts(args ?? '')) yield { kind: 'looked', scripts: true };
}

function notNmap(): ReportError {
  return new ReportError('unsupported_format', 'The XML is not of Nmap: send what nmap -oX writes, or another format.');
}

/** Nmap writes `<finished>` last of all; a stopped or failed scan omits hosts without naming them. */
function assertFinished(finished: XmlElement | undefined): void {
  const exit = finished?.attributes.exit ?? 'success';
  if (finished && exit === 'success') return;
  throw new ReportError(
    'truncated_report',
    finished
      ? 'Nmap ended with an error, so the report is incomplete: run the scan again.'
      : 'The report has no <finished>, so Nmap was stopped before its end: run the scan again.',
  );
}

/** All odd ports make half as many ranges as there are ports; more is no list that Nmap wrote. */
const MAX_RANGES = 32_768;

/** `<scaninfo protocol="tcp" services="22,80-90">`: the ports that were tried. A scan only for hosts (-sn) has none. */
function portsTried({ attributes: { protocol, services } }: XmlElement): PortRange[] {
  if (!protocol || !services) return [];
  const name = bounded(protocol, LIMITS.tag);
  return services
    .split(',', MAX_RANGES)
    .map((range) => /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range.trim()))
    .flatMap((range) => (range ? [{ protocol: name, from: Number(range[1]), to: Number(range[2] ?? range[1]) }] : []));
}

/** Whether the command line requests scripts: `--script`, `-sC` also among other letters (`-sVC`), `-A`. */
const runsScripts = (args: string): boolean => /\s(?:--script[= ]|-s[A-Z]*C|-A(?!\S))/.test(args);
