import type { FindingDraft } from '../../readers/finding.ts';
import { gitleaksLeak } from './leak.ts';
import { grypePackage, osvPackage } from './package.ts';
import type { Retold, Said } from './said.ts';
import { snykPackage, snykSetting } from './snyk.ts';
import { trivyProblem } from './trivy.ts';

const TOOLS = new Map<string, (said: Said) => Retold>([
  ['gitleaks', gitleaksLeak],
  ['grype', grypePackage],
  ['osv-scanner', osvPackage],
  ['snyk open source', snykPackage],
  ['snyk container', snykPackage],
  ['snyk iac', snykSetting],
  ['trivy', trivyProblem],
]);

/**
 * The draft of a result, recognised as its problem is in the tool's own format: these tools write into their messages, always in the
 * same words, what that format has fields for.
 */
export const asInOwnFormat = (said: Said): FindingDraft => ({
  ...said.draft,
  ...TOOLS.get(said.run.tool.name.toLowerCase())?.(said),
});
