import { hash } from 'node:crypto';
import { exploitationOf, readFacts } from '#shared/advisories/facts.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { cvssScoreOf } from '#shared/reports/readers/cvss.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import type { StoredFinding } from './finding.ts';
import type { Written } from './manual-finding.ts';
import { reportedFields } from './reported.ts';

/** The tool and the rule of findings that people write. */
export const MANUAL = 'manual';

/** Whether a person wrote the finding: a reported one names the task of its report. */
export const isManual = ({ taskId }: Pick<StoredFinding, 'taskId'>): boolean => taskId === undefined;

/** No report has this fingerprint, so that no report closes the finding or merges with it. */
export const manualFingerprint = (id: string): string =>
  hash('sha256', JSON.stringify([MANUAL, id]), 'buffer')
    .subarray(0, 16)
    .toString('base64url');

/** The stored form of texts that a person wrote, and the priority that follows. @throws validation_failed */
export async function writtenFields(connections: Connections, written: Written, severity: Severity) {
  const { title, cves, cwes, evidence, references, description, remediation, locationDetail, cvssVector } = written;
  const finding = {
    title,
    cves,
    cwes,
    evidence,
    references,
    location: locationDetail,
    severity,
    ruleId: MANUAL,
    tags: [],
    description: description ?? undefined,
    remediation: remediation ?? undefined,
    ...(cvssVector !== null && { cvssVector, cvssScore: await scoreOf(cvssVector) }),
  };
  const exploitation = cves.length > 0 ? exploitationOf(await readFacts(connections), cves) : {};
  const { tags: _tags, ...fields } = reportedFields({ finding, contentHash: '' }, {}, exploitation);
  return fields;
}

async function scoreOf(vector: string): Promise<number> {
  const score = await cvssScoreOf(vector);
  if (score !== undefined) return score;
  throw invalid(
    'cvssVector',
    'must be a CVSS vector with all base metrics, such as CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  );
}
