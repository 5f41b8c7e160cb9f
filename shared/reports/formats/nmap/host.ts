import { Inventories, osNamed, type ServiceDraft } from '../../readers/inventories.ts';
import { bounded } from '../../readers/text.ts';
import { childOf, childrenOf, type XmlElement } from '../../readers/xml.ts';
import { LIMITS, type OperatingSystem, type ReportEvent } from '../../report/report.ts';

/** The host that is being read. Nmap writes its addresses and names before its ports. */
export type Host = {
  state: string;
  reason: string;
  timedOut: boolean;
  addresses: string[];
  macs: string[];
  /** The name by which the scan addressed the host, if by name. */
  askedAs?: string;
  names: string[];
  /** A port that is not just filtered proves that something answers. */
  answered: boolean;
  services: ServiceDraft[];
  os?: OperatingSystem | undefined;
};

/** Addresses and names of one host, each; a real host has a handful. */
const MAX_NAMES = 100;

export function newHost(element?: XmlElement): Host {
  const timedOut = element?.attributes.timedout === 'true';
  return { state: 'up', reason: '', timedOut, addresses: [], macs: [], names: [], answered: false, services: [] };
}

export function addToHost(host: Host, { name, attributes, children }: XmlElement): void {
  if (name === 'status') {
    host.state = attributes.state ?? host.state;
    host.reason = attributes.reason ?? '';
  } else if (name === 'address' && attributes.addr) {
    const known = attributes.addrtype === 'mac' ? host.macs : host.addresses;
    if (known.length < MAX_NAMES) known.push(bounded(attributes.addr, LIMITS.name));
  } else if (name === 'hostnames') {
    for (const child of children) addName(host, child);
  } else if (name === 'extraports') {
    host.answered ||= isAnswer(attributes.state);
  } else if (name === 'os') {
    host.os = osOf({ name, attributes, children, text: '' });
  } else if (name === 'port') {
    host.answered ||= childrenOf({ name, attributes, children, text: '' }, 'state').some((state) =>
      isAnswer(state.attributes.state),
    );
  }
}

/** Nmap's best guess, if it is sure; it writes guesses in the order of their accuracy. */
function osOf(element: XmlElement): OperatingSystem | undefined {
  const { name, accuracy } = childOf(element, 'osmatch')?.attributes ?? {};
  return Number(accuracy) >= SURE_PERCENT ? osNamed(name) : undefined;
}

const SURE_PERCENT = 95;

/** The services of a host that was scanned to its end; nothing where no port was tried (-sn). Masscan does not say which ports it tried. */
export function inventoryOf(host: Host, triedPorts: boolean): ReportEvent[] {
  const coverage = coverageOf(host);
  if (coverage?.kind !== 'covered' || coverage.outcome !== 'reached') return [];
  const inventories = new Inventories();
  const identifiers = host.macs.length > 0 ? { macs: host.macs } : undefined;
  const tells = triedPorts || host.services.length > 0;
  inventories.add({ asset: coverage.target, os: host.os, identifiers, ...(tells && { services: host.services }) });
  return [...inventories.events()];
}

const isAnswer = (state: string | undefined) => state === 'open' || state === 'closed' || state === 'unfiltered';

function addName(host: Host, { attributes }: XmlElement): void {
  if (!attributes.name || host.names.length === MAX_NAMES) return;
  const name = bounded(attributes.name.toLowerCase(), LIMITS.name);
  if (attributes.type === 'user') host.askedAs ??= name;
  host.names.push(name);
}

/** The host's value as an asset: the name that was asked for, because addresses change behind it, else its address. */
export function hostNamed(host: Host): string | undefined {
  return host.askedAs ?? host.addresses[0] ?? host.names[0];
}

export function coverageOf(host: Host): ReportEvent | undefined {
  const value = hostNamed(host);
  if (value === undefined) return undefined;
  const aliases = [...new Set([...host.addresses, ...host.names])].filter((alias) => alias !== value);
  const covered = { kind: 'covered', target: { type: 'host', value }, aliases } as const;
  if (host.state !== 'up')
    return { ...covered, outcome: 'down', reason: bounded(host.reason || host.state, LIMITS.name) };
  if (host.timedOut) return { ...covered, outcome: 'failed', reason: 'host timed out' };
  // With -Pn Nmap treats every host as up; a host whose ports are all silent may be unreachable.
  if (host.reason === 'user-set' && !host.answered) {
    return { ...covered, outcome: 'failed', reason: 'taken for up (-Pn), and no port answered' };
  }
  return { ...covered, outcome: 'reached' };
}
