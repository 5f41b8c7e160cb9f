import type { BenchmarkCheck, ReportAsset, ReportEvent } from '../report/report.ts';

/** More than the checks of all benchmarks on 1,000 accounts. */
const MAX_CHECKS = 100_000;

/** The checks of benchmarks that passed by a report, each once for an asset; reported at its end. */
export class PassedChecks {
  readonly #events = new Map<string, ReportEvent>();

  add(check: BenchmarkCheck | undefined, asset: ReportAsset | null): void {
    if (!check || this.#events.size >= MAX_CHECKS) return;
    const key = JSON.stringify([check.key, asset]);
    if (!this.#events.has(key)) this.#events.set(key, { kind: 'passed', check, asset });
  }

  events(): Iterable<ReportEvent> {
    return this.#events.values();
  }
}
