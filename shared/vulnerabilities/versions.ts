/** Compares versions part by part, numbers as numbers; a part that is missing comes before one that is there. */
export function compareVersions(a: string, b: string): number {
  const [of, other] = [partsOf(a), partsOf(b)];
  for (let n = 0; n < Math.max(of.length, other.length); n++) {
    const order = compareParts(of[n], other[n]);
    if (order !== 0) return order;
  }
  return a < b ? -1 : Number(a > b);
}

const partsOf = (version: string): string[] =>
  version
    .replace(/^[vV=]/, '')
    .split(/[.\-+_~:]/)
    .slice(0, 20);

function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  const [x, y] = [Number(a), Number(b)];
  // a release candidate comes before its release, and a word before a number
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? -1 : 1;
  return Number.isNaN(x) ? (a < b ? -1 : 1) : x - y;
}

/** The lowest version that closes a vulnerability of this one: the next of those that are named, else the lowest. */
export function closingVersion(installed: string | undefined, fixed: readonly string[]): string | undefined {
  const ordered = fixed.toSorted(compareVersions);
  const next = installed === undefined ? undefined : ordered.find((one) => compareVersions(one, installed) > 0);
  return next ?? ordered[0];
}
