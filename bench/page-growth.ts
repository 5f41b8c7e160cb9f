import { finished, type System, send, startImport, startSystem } from './ingest/client.ts';
import { benchReport } from './ingest/report.ts';
import type { PlainTable } from './report.ts';
import { settled } from './settled.ts';

/** Findings of one repository, of which each report has all so far. */
const SIZES = [1_000, 21_000];
const WARM = 100;
const REQUESTS = 200;
const MAX_FACTOR = 1.3;
const PAGES = {
  'page of 25': '/api/v1/findings?paginateSize=25',
  'page of 25 in the middle': '/api/v1/findings?paginateSize=25&paginateFrom=500',
  'search, page of 25': '/api/v1/findings/search?search=injection&paginateSize=25',
};

/** Processor time of the whole system without the engine for a page over HTTP, among more and more findings of one scan scope. */
export async function benchPageGrowth(): Promise<PlainTable> {
  const system = await startSystem();
  try {
    const measured: Record<string, number[]> = {};
    for (const size of SIZES) {
      const started = performance.now();
      await finished(system, (await startImport(system, benchReport(size))).id);
      await settled(system, started);
      for (const [name, path] of Object.entries(PAGES))
        measured[name] = [...(measured[name] ?? []), await pageMs(system, path)];
    }
    const rows = Object.entries(measured).map(([operation, ms]) => {
      const factor = (ms.at(-1) ?? 0) / (ms[0] ?? 0);
      const figures = SIZES.map((size, n) => [`ms among ${size}`, (ms[n] ?? 0).toFixed(1)]);
      return { operation, ...Object.fromEntries(figures), factor: factor.toFixed(2), ok: factor <= MAX_FACTOR };
    });
    return { title: 'Pages: processor time among more findings', rows, ok: rows.every(({ ok }) => ok) };
  } finally {
    await system.stop();
  }
}

async function pageMs(system: System, path: string): Promise<number> {
  for (let n = 0; n < WARM; n++) await send(system, 'GET', path);
  const before = (await system.measure()).processorSeconds;
  for (let n = 0; n < REQUESTS; n++) await send(system, 'GET', path);
  return (((await system.measure()).processorSeconds - before) / REQUESTS) * 1000;
}
