import type { BenchmarkCheck } from '../../report/report.ts';
import checks from './benchmark.json' with { type: 'json' };

/**
 * Checkov's checks that test in code what a check of the CIS Amazon Web Services Foundations Benchmark 3.0.0 tests in
 * an account, by the keys of `benchmark-aws.ts`. Checkov names no control: the pairs are our judgement, by the names
 * and sources of its checks (github.com/bridgecrewio/checkov 3.3.30, checkov/terraform/checks).
 */
const KEYS: Readonly<Record<string, string>> = checks;

const keys: ReadonlyMap<string, string> = new Map(Object.entries(KEYS));

/** The check of the benchmark by its id in Checkov; undefined for one of no control. */
export function checkOfCheckov(id: string | undefined): BenchmarkCheck | undefined {
  const key = keys.get(id ?? '');
  return key === undefined ? undefined : { benchmark: 'aws-3.0', key };
}
