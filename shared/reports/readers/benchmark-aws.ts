import type { BenchmarkCheck } from '../report/report.ts';
import checks from './benchmark-aws.json' with { type: 'json' };

/**
 * The checks of Prowler for the controls of the CIS Amazon Web Services Foundations Benchmark 3.0.0, by keys that are
 * never changed: the control's number, and a letter where it has several checks. The pairs are facts of Prowler's own
 * table (github.com/prowler-cloud/prowler, prowler/compliance/aws/cis_3.0_aws.json of 5.46). Two things differ: that
 * table has no check for 1.22, whose check is in the tables of 2.0 and 4.0; and its `ec2_confidential_workload_host_*`,
 * for one kind of instances, are left out, because earlier versions of Prowler lack them and a control passes only by
 * all of its checks.
 */
export const AWS_CHECKS: Readonly<Record<string, string>> = checks;

/** Made once, at the first result of Prowler. */
let keys: ReadonlyMap<string, string> | undefined;

/** The check of the benchmark by its name in Prowler; undefined for one of no control. */
export function checkOfAws(name: string): BenchmarkCheck | undefined {
  keys ??= new Map(Object.entries(AWS_CHECKS).map(([key, id]) => [id, key]));
  const key = keys.get(name);
  return key === undefined ? undefined : { benchmark: 'aws-3.0', key };
}

/** One check looks at both versions of IP. */
const SAME_CHECKS: Readonly<Record<string, string>> = { '5.3': '5.2' };

/** The keys of the checks of a control, by its number in the benchmark. */
export function keysOfAws(control: string): string[] {
  const named = SAME_CHECKS[control] ?? control;
  return Object.keys(AWS_CHECKS).filter((key) => key.replace(/[a-z]$/, '') === named);
}
