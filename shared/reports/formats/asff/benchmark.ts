import { keysOfAws } from '../../benchmark-aws.ts';
import { type JsonObject, listAt, textAt, textsAt } from '../../json.ts';
import type { BenchmarkCheck } from '../../report.ts';

/** Findings of controls name the requirements of all standards, and where these are not consolidated the one of their standard. */
const REQUIREMENT = /^CIS AWS Foundations Benchmark v3\.0\.0\/(\d{1,2}(?:\.\d{1,2}){1,2})$/;
const GENERATOR = /^cis-aws-foundations-benchmark\/v\/3\.0\.0\/(\d{1,2}(?:\.\d{1,2}){1,2})$/;

/** Two controls of Security Hub stand for the parts of this requirement, and either alone proves only its own. */
const SPLIT = '2.1.4';

/**
 * The requirements of the CIS benchmark 3.0.0 of which a finding of Security Hub's own controls speaks.
 * https://docs.aws.amazon.com/securityhub/latest/userguide/cis-aws-foundations-benchmark.html
 */
const requirementsOf = (entry: JsonObject): string[] => [
  ...textsAt(entry, 'Compliance', 'RelatedRequirements').flatMap((text) => REQUIREMENT.exec(text)?.[1] ?? []),
  ...textsAt(entry, 'GeneratorId').flatMap((text) => GENERATOR.exec(text)?.[1] ?? []),
];

const checksOf = (requirement: string): BenchmarkCheck[] =>
  keysOfAws(requirement).map((key) => ({ benchmark: 'aws-3.0', key }));

/** The check that a failed control fails. */
export const failedCheck = (entry: JsonObject): BenchmarkCheck | undefined =>
  statusOf(entry) === 'FAILED' ? requirementsOf(entry).flatMap(checksOf)[0] : undefined;

/** The checks that a control which holds has passed. */
export const passedChecks = (entry: JsonObject): BenchmarkCheck[] =>
  statusOf(entry) === 'PASSED' && textAt(entry, 'RecordState') !== 'ARCHIVED'
    ? requirementsOf(entry)
        .filter((requirement) => requirement !== SPLIT)
        .flatMap(checksOf)
    : [];

/** Without a resource to look at, Security Hub calls a control passed and gives this reason. */
const NOTHING_TO_LOOK_AT = 'CONFIG_EVALUATIONS_EMPTY';

function statusOf(entry: JsonObject): string | undefined {
  const reasons = listAt(entry, 'Compliance', 'StatusReasons').map((reason) => textAt(reason, 'ReasonCode'));
  return reasons.includes(NOTHING_TO_LOOK_AT) ? undefined : textAt(entry, 'Compliance', 'Status');
}
