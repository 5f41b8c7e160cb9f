import type { Settings } from '#shared/platform/runtime/env.ts';
import type { Scanner } from './scanner.ts';

type VersionStatus = Scanner['versionStatus'];

/** The known versions of the scanners' software; undefined where the deployment declares none. */
export type KnownVersions = { recommended: string | undefined; minimum: string | undefined };

type Declared = Pick<Settings, 'SCANNER_RECOMMENDED_VERSION' | 'SCANNER_MINIMUM_VERSION'>;

/** No advice may name a refused version: where the recommended version is missing or lower, the minimum replaces it. */
export function knownVersions(declared: Declared): KnownVersions {
  const { SCANNER_RECOMMENDED_VERSION: recommended, SCANNER_MINIMUM_VERSION: minimum } = declared;
  const isLess = minimum !== undefined && (recommended === undefined || isOlder(recommended, minimum));
  return { recommended: isLess ? minimum : recommended, minimum };
}

/** The status of a version. A version that is missing or cannot be read counts as current. */
export function versionStatusOf(version: string | null, { recommended, minimum }: KnownVersions): VersionStatus {
  if (version === null) return 'current';
  if (minimum !== undefined && isOlder(version, minimum)) return 'unsupported';
  return recommended !== undefined && isOlder(version, recommended) ? 'outdated' : 'current';
}

const VERSION = /^v?(\d{1,9}(?:\.\d{1,9})*)(-[\w.-]+)?(\+[\w.-]+)?$/;

/**
 * Whether one dotted version comes before another: number by number, a missing number counts as zero, and a pre-release
 * (`1.2.0-rc.1`) comes before its release. Two pre-releases of one version are equal.
 */
function isOlder(version: string, than: string): boolean {
  const [a, b] = [VERSION.exec(version), VERSION.exec(than)];
  if (!a || !b) return false;
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (let n = 0; n < Math.max(left.length, right.length); n++) {
    const difference = (left[n] ?? 0) - (right[n] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return a[2] !== undefined && b[2] === undefined;
}

const numbersOf = ([, dotted = '']: RegExpExecArray): number[] => dotted.split('.').map(Number);

type Upgrade = { recommended: string; minimum: string | null; message: string };

/** The advice to a scanner that needs an upgrade; undefined for a current one. */
export function upgradeOf(status: VersionStatus, { recommended, minimum }: KnownVersions): Upgrade | undefined {
  if (status === 'current' || recommended === undefined) return undefined;
  const message =
    status === 'outdated'
      ? `Upgrade to version ${recommended} when it suits.`
      : `This version is no longer supported: finish what you hold, there are no new tasks before version ${minimum}.`;
  return { recommended, minimum: minimum ?? null, message };
}
