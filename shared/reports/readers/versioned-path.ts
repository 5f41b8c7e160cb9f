/** Files and folders that build tools and package managers name after the version of the package. */
const VERSIONED = new Set(
  'dist-info egg-info egg whl jar war ear par sar rar aar kar hpi jpi nupkg nuspec gem gemspec crate tgz zip'.split(
    ' ',
  ),
);

/** NuGet puts a dot before the version, everything else a hyphen, an underscore or an at sign. */
const VERSION = /[-_@]v?\d/;
const VERSION_OF_NUGET = /\.\d/;
const NUGET = new Set(['nupkg', 'nuspec']);

/**
 * A path by which a package is recognised after an update: the versions that package managers write into it become `*`.
 * A folder that people name after a version keeps the name. `lib/core-2.1.jar` becomes `lib/core-*.jar`.
 */
export function withoutVersions(path: string): string {
  if (!/\d/.test(path)) return path;
  // an archive inside of an archive is behind a slash, a colon or an exclamation mark
  const parts = path.split(/([/\\:!])/);
  const files = parts.map(versionedFile);
  const known = files.filter((file) => file !== undefined);
  return parts.map((part, at) => files[at]?.unversioned ?? folderOf(parts, at, known) ?? part).join('');
}

type VersionedFile = { name: string; version: string; unversioned: string };

function versionedFile(part: string): VersionedFile | undefined {
  const dot = part.lastIndexOf('.');
  const kind = part.slice(dot + 1).toLowerCase();
  if (dot === -1 || !VERSIONED.has(kind)) return undefined;
  const stem = part.slice(0, dot);
  const begin = stem.search(NUGET.has(kind) ? VERSION_OF_NUGET : VERSION);
  if (begin < 1) return undefined;
  const name = stem.slice(0, begin + 1);
  return { name, version: stem.slice(begin + 1), unversioned: `${name}*${part.slice(dot)}` };
}

/** The folder without its version, or undefined for a folder of another kind. */
function folderOf(parts: readonly string[], at: number, files: readonly VersionedFile[]): string | undefined {
  const [folder = '', above = '', below = ''] = [parts[at], parts[at - 2], parts[at + 2]];
  if (below === '' || !/\d/.test(folder)) return undefined;
  const ofFile = files.map((file) => folderOfFile(folder, file)).find((one) => one !== undefined);
  if (ofFile) return ofFile;
  if (/^[0-9a-f]{38,40}$/.test(folder) && parts.includes('files-2.1')) return '*';
  // Homebrew: `Cellar/openssl@3/3.0.7`; RubyGems: `gems/3.1.0/gems/rack-2.2.3`
  if (parts[at - 4] === 'Cellar' || (/^\d/.test(folder) && (isOfGems(above) || isOfGems(below)))) return '*';
  if (above === 'gems' || /^(?:index\.crates\.io|github\.com)-/.test(above)) return cutAt(folder, /-\d/);
  // pnpm: `.pnpm/lodash@4.17.20/node_modules`; Go: `pkg/mod/example.org/core@v1.2.3`
  if (above === '.pnpm') return cutAt(folder, /(?!^)@\d/);
  if (/@v\d/.test(folder)) return cutAt(folder, /@v\d/);
  return /^(?:site|dist)-packages$/.test(below) && /^python\d+\.\d/.test(folder) ? 'python*' : undefined;
}

/** Maven, Gradle, NuGet: `log4j-core/2.14.1/log4j-core-2.14.1.jar`, `Json.12.0.1/Json.12.0.1.nupkg` */
function folderOfFile(folder: string, { name, version }: VersionedFile): string | undefined {
  if (folder === name + version) return `${name}*`;
  const isVersion = version === folder || version.startsWith(`${folder}-`) || version.endsWith(`-${folder}`);
  return isVersion && /^\d/.test(folder) ? '*' : undefined;
}

const isOfGems = (folder: string): boolean => folder === 'gems' || folder === 'specifications';

function cutAt(folder: string, version: RegExp): string | undefined {
  const begin = folder.search(version);
  return begin > 0 ? `${folder.slice(0, begin + 1)}*` : undefined;
}
