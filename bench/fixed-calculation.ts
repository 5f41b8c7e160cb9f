import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';

const RUNS = 5;
const ROUNDS = 2_000;

/**
 * Seconds of a fixed calculation on this machine, the median of five runs. The calculation repeats the ingest's most
 * frequent work on a record (JSON, a hash, deflating) with a fixed text. Times in units of it compare between machines.
 */
export function fixedCalculation(): number {
  const record = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`field${n}`, `value ${n * 7919} of the record`]),
  );
  const seconds = Array.from({ length: RUNS }, () => {
    const started = performance.now();
    for (let n = 0; n < ROUNDS; n++) {
      const text = JSON.stringify({ ...record, n });
      createHash('sha256').update(deflateRawSync(text)).digest();
      JSON.parse(text);
    }
    return (performance.now() - started) / 1000;
  });
  return seconds.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}
