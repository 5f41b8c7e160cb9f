import type { BenchmarkCheck } from '../../report/report.ts';

/**
 * Checkov's checks that test in code what a check of the CIS Amazon Web Services Foundations Benchmark 3.0.0 tests in
 * an account, by the keys of `benchmark-aws.ts`. Checkov names no control: the pairs are our judgement, by the names
 * and sources of its checks (github.com/bridgecrewio/checkov 3.3.30, checkov/terraform/checks).
 */
const KEYS: Readonly<Record<string, string>> = {
  CKV_AWS_10: '1.8',
  CKV_AWS_13: '1.9',
  CKV_AWS_40: '1.15',
  CKV_AWS_274: '1.16a',
  CKV_AWS_1: '1.16b',
  CKV_AWS_62: '1.16b',
  CKV_AWS_379: '2.1.1',
  CKV_AWS_3: '2.2.1',
  CKV_AWS_8: '2.2.1',
  CKV_AWS_106: '2.2.1',
  CKV_AWS_16: '2.3.1',
  CKV_AWS_226: '2.3.2',
  CKV_AWS_17: '2.3.3',
  CKV_AWS_42: '2.4.1',
  CKV_AWS_67: '3.1',
  CKV_AWS_36: '3.2',
  CKV_AWS_121: '3.3',
  CKV_AWS_35: '3.5',
  CKV_AWS_7: '3.6',
  CKV2_AWS_11: '3.7',
  CKV_AWS_352: '5.1a',
  CKV_AWS_232: '5.1b',
  CKV_AWS_231: '5.1c',
  CKV_AWS_277: '5.2a',
  CKV_AWS_24: '5.2b',
  CKV_AWS_25: '5.2c',
  CKV2_AWS_12: '5.4',
  CKV2_AWS_44: '5.5',
  CKV_AWS_79: '5.6',
};

const keys: ReadonlyMap<string, string> = new Map(Object.entries(KEYS));

/** The check of the benchmark by its id in Checkov; undefined for one of no control. */
export function checkOfCheckov(id: string | undefined): BenchmarkCheck | undefined {
  const key = keys.get(id ?? '');
  return key === undefined ? undefined : { benchmark: 'aws-3.0', key };
}
