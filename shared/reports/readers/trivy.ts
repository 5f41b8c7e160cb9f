import { codeIdentity } from './code-identity.ts';
import type { FindingDraft } from './finding.ts';
import { reportSecret } from './secret.ts';

/* Trivy's problems other than packages; its JSON and its SARIF describe them in the same way. */

type Check = { id: string; place: string; message: string | undefined };

/** Without the resource with the problem, which only the JSON names: their order distinguishes two in one file. */
export const checkIdentity = ({ id, place, message }: Check): string[] =>
  codeIdentity({ ruleId: checkId(id), place, message });

/** Trivy called its checks `DS002` and `AVD-AWS-0086` before it called them `DS-0002` and `AWS-0086`. */
const checkId = (id: string): string =>
  id.replace(/^AVD-/, '').replace(OLD, (_, list: string, number: string) => `${list}-${number.padStart(4, '0')}`);

const OLD = /^(DS|KSV|KCV)(\d{3,5})$/;

/** Trivy itself masks the secret in `match`. */
export function trivySecret({
  id,
  title,
  place,
  match,
}: {
  id: string;
  title?: string;
  place: string;
  match?: string;
}) {
  return {
    title: `Secret: ${title ?? id}`,
    cwes: ['CWE-798'],
    secret: reportSecret({ ruleId: id }),
    identity: codeIdentity({ ruleId: id, place, snippet: match }),
  } satisfies Partial<FindingDraft>;
}

type License = { license: string; name?: string; file?: string };

export function trivyLicense({ license, name, file }: License) {
  return {
    title: `License ${license} of ${name ?? file}`,
    ruleId: `license:${license}`,
    ...(name && { component: { name, fixedVersions: [] } }),
    identity: [license, name ?? '', file ?? ''],
  } satisfies Partial<FindingDraft>;
}
