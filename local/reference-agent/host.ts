import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { arch, hostname, type NetworkInterfaceInfo, networkInterfaces, release, version } from 'node:os';
import { promisify } from 'node:util';
import { absent } from '../reference-machine/absent.ts';

export type Family = 'linux' | 'windows' | 'macos';
type System = { family: Family; name: string | null; version: string | null };

export type Host = {
  hostname: string;
  os?: System & { build: string; architecture: string };
  machineId: string | null;
  addresses: string[];
  macs: string[];
};

const FAMILIES: Partial<Record<NodeJS.Platform, Family>> = { linux: 'linux', win32: 'windows', darwin: 'macos' };

/** Undefined on a system of an unknown family. */
export const family = (): Family | undefined => FAMILIES[process.platform];

/** The limit of addresses in a report. */
const MAX_ADDRESSES = 256;
/** A text within the limits of a report. */
const LONGEST = 255;

export async function describeHost(): Promise<Host> {
  const known = family();
  const system = known && (await systems[known]());
  return {
    hostname: hostname(),
    os: system && { ...system, build: release(), architecture: arch() },
    machineId: await readMachineId(),
    ...networkOf(Object.values(networkInterfaces()).flatMap((each) => each ?? [])),
  };
}

const systems: Record<Family, () => Promise<System>> = {
  linux: async () => {
    const { NAME, VERSION_ID } = await readDistribution();
    return { family: 'linux', name: NAME ?? null, version: VERSION_ID ?? null };
  },
  windows: async () => ({ family: 'windows', name: version(), version: release() }),
  macos: async () => {
    const { stdout } = await promisify(execFile)('sw_vers', ['-productVersion']);
    return { family: 'macos', name: 'macOS', version: stdout.trim() };
  },
};

/** Reads the distribution from the files that os-release(5) names. */
export async function readDistribution(): Promise<Record<string, string>> {
  return parseOsRelease((await readFirst('/etc/os-release', '/usr/lib/os-release')) ?? '');
}

/** Reads assignments in shell syntax; comments and broken lines are ignored. */
export const parseOsRelease = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z][A-Z0-9_]*)=(["']?)(.*)\2\s*$/gm)].map(([, name = '', , value = '']) => [
      name,
      value
        .replaceAll(/\\(["$`\\])/g, '$1')
        .slice(0, LONGEST)
        .toWellFormed(),
    ]),
  );

/** machine-id(5), which exists only on Linux. */
const readMachineId = async (): Promise<string | null> =>
  (await readFirst('/etc/machine-id', '/var/lib/dbus/machine-id'))?.trim() || null;

/** Reads the first file that exists; undefined if none does. */
async function readFirst(...files: string[]): Promise<string | undefined> {
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(absent);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The addresses at which others reach the host, in a stable order, without loopback and link-local addresses. */
export function networkOf(interfaces: readonly NetworkInterfaceInfo[]): Pick<Host, 'addresses' | 'macs'> {
  const outward = interfaces.filter(({ internal }) => !internal);
  const isLinkLocal = (address: string) => /^(fe[89ab].:|169\.254\.)/i.test(address);
  const addresses = outward.map(({ address }) => address).filter((address) => !isLinkLocal(address));
  const macs = outward.map(({ mac }) => mac).filter((mac) => mac !== '00:00:00:00:00:00');
  return { addresses: distinct(addresses), macs: distinct(macs) };
}

const distinct = (values: string[]): string[] => [...new Set(values)].sort().slice(0, MAX_ADDRESSES);
