import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { absent } from '../reference-machine/absent.ts';
import { readDistribution } from './host.ts';

export type Software = { name: string; version: string; vendor?: string; purl: string };
type Package = { name: string; version: string; vendor?: string; architecture: string; epoch?: string };
type Distribution = Record<string, string>;

type Manager = { type: 'deb' | 'rpm' | 'apk'; command: string; arguments: string[]; read(line: string): Package[] };

/** The package managers that this agent asks; each prints one line per package. */
export const managers: Record<Manager['type'], Manager> = {
  deb: {
    type: 'deb',
    command: 'dpkg-query',
    arguments: ['-W', `-f=\${db:Status-Status}\\t\${Package}\\t\${Version}\\t\${Architecture}\\t\${Maintainer}\\n`],
    read(line) {
      const [status, name = '', version = '', architecture = '', vendor] = line.split('\t');
      return status === 'installed' ? [{ name, version, architecture, vendor }] : [];
    },
  },
  rpm: {
    type: 'rpm',
    command: 'rpm',
    arguments: ['-qa', '--queryformat', '%{NAME}\\t%{VERSION}-%{RELEASE}\\t%{ARCH}\\t%{VENDOR}\\t%{EPOCH}\\n'],
    read(line) {
      const [name = '', version = '', architecture = '', vendor, epoch] = line.split('\t').map(unlessNone);
      // rpm lists imported keys as packages.
      return name === 'gpg-pubkey' ? [] : [{ name, version, architecture, vendor, epoch }];
    },
  },
  apk: {
    type: 'apk',
    command: 'apk',
    arguments: ['list', '--installed'],
    read(line) {
      const [, name = '', version = '', architecture = ''] = /^(\S+)-(\d[^\s-]*-r\d+) (\S+) /.exec(line) ?? [];
      return [{ name, version, architecture }];
    },
  },
};

const unlessNone = (text: string): string | undefined => (text === '(none)' ? undefined : text);

/** The limit of a report. */
const MAX_SOFTWARE = 10_000;

/**
 * Lists the installed packages that the package managers of this host know.
 * @returns undefined without any package manager, because unknown software is not the same as no software
 * @throws when a package manager fails, because missing packages would look like removed ones
 */
export async function listSoftware(): Promise<Software[] | undefined> {
  const listings = await Promise.all(
    Object.values(managers).map(async (manager) => ({ manager, text: await ask(manager) })),
  );
  if (listings.every(({ text }) => text === undefined)) return undefined;
  const distribution = await readDistribution();
  return listings.flatMap(({ manager, text = '' }) => parseListing(manager, text, distribution)).slice(0, MAX_SOFTWARE);
}

async function ask({ command, arguments: args }: Manager): Promise<string | undefined> {
  const options = { maxBuffer: 64 * 1024 * 1024, timeout: 60_000, env: { ...process.env, LC_ALL: 'C' } };
  const answer = await promisify(execFile)(command, args, options).catch(absent);
  return answer?.stdout;
}

export const parseListing = (manager: Manager, text: string, distribution: Distribution): Software[] =>
  text
    .split('\n')
    .flatMap((line) => manager.read(line))
    .filter(({ name, version }) => name && version)
    .map((one) => ({
      name: cut(one.name),
      version: cut(one.epoch ? `${one.epoch}:${one.version}` : one.version),
      ...(one.vendor && { vendor: cut(one.vendor) }),
      purl: purlOf(manager.type, one, distribution),
    }));

const cut = (text: string): string => text.slice(0, 300).toWellFormed();

/** A package URL by the types deb, rpm and apk of purl-spec. */
function purlOf(
  type: Manager['type'],
  { name, version, architecture, epoch }: Package,
  { ID, VERSION_ID }: Distribution,
) {
  const namespace = ID ? `${encoded(ID)}/` : '';
  const qualifiers = {
    arch: architecture,
    distro: ID && VERSION_ID && `${ID}-${VERSION_ID}`,
    epoch,
  };
  const given = Object.entries(qualifiers).filter(([, value]) => value);
  const query = given.map(([key, value]) => `${key}=${encoded(value ?? '')}`).join('&');
  return `pkg:${type}/${namespace}${encoded(name)}@${encoded(version)}${query && `?${query}`}`;
}

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':');
