import { movedEpss, packEpss } from '#functions/workers/advisories/epss.ts';
import { type BenchTable, benchRow, benchTable } from './report.ts';

/** About as many as FIRST publishes. */
const SCORES = 330_000;
/** One score in so many differs from the day before. */
const MOVED = 50;

/**
 * Packs the EPSS file of a day, and compares the file with the file of the day before. The memory is the highest that
 * the process used.
 */
export async function benchFeeds(): Promise<BenchTable> {
  const [before, text] = [packEpss(scoresOf(0)).content, scoresOf(1)];
  const packing = measured('pack a day of EPSS scores', () => packEpss(text).content);
  const comparing = measured('compare it with the day before', () => movedEpss(before, packing.result));
  if (comparing.result.length !== SCORES / MOVED) throw new Error(`${comparing.result.length} scores moved`);
  return benchTable('Feeds: seconds and memory', [packing.row, comparing.row]);
}

function scoresOf(day: number): string {
  const lines = Array.from({ length: SCORES }, (_, n) => {
    const part = (n * 7919 + (n % MOVED === 0 ? 50 * day : 0)) % 100_000;
    return `CVE-${1999 + (n % 28)}-${1000 + Math.floor(n / 28)},${part / 100_000},${(n % 100_000) / 100_000}\n`;
  });
  return `#model_version:bench,score_date:2026-01-0${1 + day}\ncve,epss,percentile\n${lines.join('')}`;
}

function measured<T>(operation: string, run: () => T) {
  const started = performance.now();
  const result = run();
  const seconds = (performance.now() - started) / 1000;
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  const budget = { seconds: 300, megabytes: 512 };
  return {
    result,
    row: benchRow({
      operation,
      size: String(SCORES),
      roundTrips: 0,
      readUnits: 0,
      writeUnits: 0,
      seconds,
      megabytes,
      budget,
    }),
  };
}
