import type { BenchmarkCheck } from '../report/report.ts';
import { AWS_CHECKS, keysOfAws } from './benchmark-aws.ts';
import numbers from './security-hub.json' with { type: 'json' };

/**
 * The controls of AWS Security Hub for the CIS Amazon Web Services Foundations Benchmark 3.0.0: the number in the
 * benchmark, or the key of `benchmark-aws.ts` where a control covers a part of it. The pairs are facts of the hub's own
 * table (https://docs.aws.amazon.com/securityhub/latest/userguide/cis-aws-foundations-benchmark.html, mapping of
 * controls to requirements); the pairs of S3.22 and S3.23 are from its page about S3 (s3-controls.html there).
 */
const controls: ReadonlyMap<string, string> = new Map(Object.entries(numbers));

/** Findings of controls name the requirements of all standards, and where these are not consolidated the one of their standard. */
const REQUIREMENT = /^CIS AWS Foundations Benchmark v3\.0\.0\/(\d{1,2}(?:\.\d{1,2}){1,2})$/;
const GENERATOR = /^cis-aws-foundations-benchmark\/v\/3\.0\.0\/(\d{1,2}(?:\.\d{1,2}){1,2})$/;

/**
 * Without its id, a finding of this requirement may belong to either of two controls, and each control proves only its
 * own part.
 */
const SPLIT = '2.1.4';

/** The facts of a finding of one of the hub's own controls, in the hub's format or in OCSF. */
export type HubControl = {
  id?: string | undefined;
  /** Of all standards, in the hub's spelling. */
  requirements: readonly string[];
  generator?: string | undefined;
  /** Undefined: the control was not, or not really, checked. */
  outcome: 'passed' | 'failed' | undefined;
};

const requirementsOf = ({ requirements, generator = '' }: HubControl): string[] => [
  ...requirements.flatMap((text) => REQUIREMENT.exec(text)?.[1] ?? []),
  ...(GENERATOR.exec(generator)?.slice(1) ?? []),
];

function keysOf(control: HubControl): string[] {
  const known = controls.get(control.id ?? '');
  if (known !== undefined) return known in AWS_CHECKS ? [known] : keysOfAws(known);
  const named = requirementsOf(control);
  return named.filter((one) => control.outcome === 'failed' || one !== SPLIT).flatMap(keysOfAws);
}

const checksOf = (control: HubControl): BenchmarkCheck[] =>
  keysOf(control).map((key) => ({ benchmark: 'aws-3.0', key }));

/** The check that a failed control fails. */
export const failedCheck = (control: HubControl): BenchmarkCheck | undefined =>
  control.outcome === 'failed' ? checksOf(control)[0] : undefined;

/** The checks that a control which holds has passed. */
export const passedChecks = (control: HubControl): BenchmarkCheck[] =>
  control.outcome === 'passed' ? checksOf(control) : [];

/** Without a resource to look at, the hub calls a control passed and gives this reason. */
export const NOTHING_TO_LOOK_AT = 'CONFIG_EVALUATIONS_EMPTY';
