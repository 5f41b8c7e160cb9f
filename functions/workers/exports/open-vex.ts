import type { Finding } from '#shared/findings/finding/finding.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import { VERSION } from '#shared/platform/runtime/version.ts';
import type { VulnerabilityListItem } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import type { RecordsFile } from './file.ts';

type Written = Pick<TaskRow, 'id' | 'createdAt' | 'createdBy'>;

/** The judgement on one vulnerability of one asset. */
export type Statement = Pick<
  Finding,
  'asset' | 'component' | 'firstSeenAt' | 'updatedAt' | 'statusReason' | 'remediation'
> & {
  id: string;
  name: string;
  aliases: readonly string[];
  status: Finding['status'] | VulnerabilityListItem['status'];
  isLookedAt: boolean;
};

/**
 * OpenVEX 0.2.0: the statements of each record. The product is the asset and the package a subcomponent, because a
 * decision on one asset does not apply to another.
 */
export const openVexFile = <R extends object>(
  task: Written,
  statementsOf: (record: R) => readonly Statement[],
): RecordsFile<R> => ({
  head: `${JSON.stringify(documentOf(task)).slice(0, -1)},"statements":[`,
  add(place, record) {
    const statements = statementsOf(record).map((one) => JSON.stringify(statementOf(one)));
    const texts = statements.map((statement, n) => `${place.entries + n > 0 ? ',' : ''}\n${statement}`);
    place.entries += statements.length;
    return texts.join('');
  },
  foot: () => ']}\n',
});

/** A statement for each vulnerability of each finding that names one. */
export const findingsVexFile = (_input: unknown, task: Written): RecordsFile<Finding> =>
  openVexFile(task, (finding: Finding) =>
    vulnerabilitiesOf(finding).map((name) => ({
      ...finding,
      id: `urn:uuid:${finding.id}#${name}`,
      name,
      aliases: [],
      isLookedAt: finding.acknowledgedAt !== null,
    })),
  );

const documentOf = ({ id, createdAt, createdBy }: Written) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': `urn:uuid:${id}`,
  author: createdBy?.name || 'unknown',
  timestamp: createdAt,
  version: 1,
  tooling: `Security Exposure Management Service ${VERSION}`,
});

/** Names of advisories that are no CVE, as tools use them for rules. */
const ADVISORY = /^(?:GHSA|GO|RUSTSEC|PYSEC|OSV|SNYK|RHSA|DSA|USN|ALAS|ELSA)-/i;

const vulnerabilitiesOf = ({ cves, ruleId }: Finding): readonly string[] =>
  cves.length === 0 && ADVISORY.test(ruleId) ? [ruleId] : cves;

function statementOf(statement: Statement) {
  const { id, name, aliases, component, asset, firstSeenAt, updatedAt } = statement;
  const purl = component?.purl;
  const inside = purl && { subcomponents: [{ '@id': purl, identifiers: { purl } }] };
  return {
    '@id': id,
    vulnerability: { name, ...(aliases.length > 0 && { aliases }) },
    timestamp: firstSeenAt,
    last_updated: updatedAt,
    products: [{ ...productOf(asset), ...inside }],
    ...judgementOf(statement),
  };
}

/** An image by the package URL that scanners compare; another asset by its id. */
function productOf({ id, type, name }: Finding['asset']) {
  const purl = type === 'container_image' ? imagePurl(name) : undefined;
  return purl ? { '@id': purl, identifiers: { purl } } : { '@id': `urn:uuid:${id}` };
}

/** `registry.example/acme/shop:1.2` as `pkg:oci/shop?repository_url=registry.example/acme/shop&tag=1.2` (purl-spec). */
function imagePurl(image: string): string | undefined {
  const [, repository = '', tag, digest] = /^([^@]+?)(?::([^:/@]+))?(?:@(sha256:[0-9a-f]+))?$/.exec(image) ?? [];
  const name = repository.split('/').at(-1);
  if (!name) return undefined;
  const at = digest ? `@${encodeURIComponent(digest)}` : '';
  const query = [`repository_url=${repository}`, ...(tag ? [`tag=${tag}`] : [])].join('&');
  return `pkg:oci/${name.toLowerCase()}${at}?${query}`;
}

/**
 * A vulnerability without a decision is under investigation. Each status has the text that the specification demands.
 */
function judgementOf(statement: Statement): object {
  const { status, statusReason, isLookedAt } = statement;
  if (status === 'fixed') return { status: 'fixed', ...(statusReason && { status_notes: statusReason }) };
  if (status === 'false_positive' || status === 'out_of_scope')
    return { status: 'not_affected', impact_statement: statusReason ?? status };
  if (status === 'open' && !isLookedAt) return { status: 'under_investigation' };
  return { status: 'affected', action_statement: actionOf(statement) };
}

function actionOf({ status, statusReason, component, remediation }: Statement): string {
  if (status === 'risk_accepted') return `The risk is accepted: ${statusReason ?? 'no reason given'}`;
  const fixed = component?.fixedVersions ?? [];
  if (component && fixed.length > 0) return `Update ${component.name} to ${fixed.join(' or ')}.`;
  return remediation ?? 'No remediation is known yet.';
}
