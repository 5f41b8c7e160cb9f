/** The chance that a vulnerability is exploited within 30 days, and the share of all that have at most this chance. */
export type EpssScore = { probability: number; percentile: number };

/**
 * The packed scores: for each vulnerability, in order, a number of four bytes and two of two bytes. A third of a million are 2.6 MB.
 */
export const EPSS_RECORD = 8;
/** Scores in ten-thousandths, so that most days do not change most findings. */
export const EPSS_PARTS = 10_000;

export function epssIn(content: Buffer, cve: string): EpssScore | undefined {
  const key = keyOf(cve);
  const place = key === undefined ? undefined : placeOf(content, key);
  return place === undefined ? undefined : scoreAt(content, place);
}

export const keyAt = (content: Buffer, place: number): number =>
  place < content.length ? content.readUInt32BE(place) : Number.POSITIVE_INFINITY;

const scoreAt = (content: Buffer, place: number): EpssScore => ({
  probability: content.readUInt16BE(place + 4) / EPSS_PARTS,
  percentile: content.readUInt16BE(place + 6) / EPSS_PARTS,
});

/** Finds the record by halving. */
function placeOf(content: Buffer, key: number): number | undefined {
  for (let [low, high] = [0, content.length / EPSS_RECORD - 1]; low <= high; ) {
    const middle = (low + high) >>> 1;
    const found = keyAt(content, middle * EPSS_RECORD);
    if (found === key) return middle * EPSS_RECORD;
    if (found < key) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

const FIRST_YEAR = 1980;
const NUMBERS = 2 ** 24;

/** One number for each CVE id, in the order of years and numbers. */
export function keyOf(cve: string): number | undefined {
  const [, year, number] = /^CVE-(\d{4})-(\d{4,8})$/.exec(cve) ?? [];
  const [years, within] = [Number(year) - FIRST_YEAR, Number(number)];
  return years >= 0 && years < 256 && within < NUMBERS ? years * NUMBERS + within : undefined;
}

export const nameOf = (key: number): string =>
  `CVE-${FIRST_YEAR + Math.floor(key / NUMBERS)}-${String(key % NUMBERS).padStart(4, '0')}`;
