import { afterLastSlash } from '#shared/platform/runtime/texts.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { textAt } from '../../readers/json.ts';
import { manifestOf, settingIdentity } from '../../readers/snyk.ts';
import { govulncheckModules } from './govulncheck.ts';
import { gitleaksLeak } from './leak.ts';
import { grypePackage, osvPackage, packageFields } from './package.ts';
import type { Retold, Said } from './said.ts';
import { trivyProblem } from './trivy.ts';

const PACKAGE = /^This file introduces a vulnerable (\S{1,300}) package with an? [a-z]{1,20} severity vulnerability/;

/** Snyk names a package once for all its versions, and the manifest in place of its lock file. */
function snykPackage({ run, result, message, draft }: Said): Retold {
  const name = PACKAGE.exec(message)?.[1];
  if (!name) return undefined;
  const said = textAt(result, 'locations', 0, 'logicalLocations', 0, 'fullyQualifiedName') ?? '';
  const version = said.startsWith(`${name}@`) ? said.slice(name.length + 1) : '';
  const path = draft.location.path ?? '';
  const place = /container/i.test(run.tool.name) && !isInImage(path) ? '' : manifestOf(path);
  return packageFields(draft, { id: draft.ruleId, name, version, place });
}

/** Without a file Snyk gives the image, with `_` for each colon. */
const isInImage = (path: string): boolean =>
  path.startsWith('/') || /(?:docker|container)file/i.test(afterLastSlash(path));

/** The message is the same for each setting of a rule: their order distinguishes two in one file. */
const snykSetting = ({ draft }: Said): Retold => ({
  identity: settingIdentity(draft.ruleId, draft.location.path ?? ''),
});

const TOOLS = new Map<string, (said: Said) => Retold | Retold[]>([
  ['gitleaks', gitleaksLeak],
  ['govulncheck', govulncheckModules],
  ['grype', grypePackage],
  ['osv-scanner', osvPackage],
  ['snyk open source', snykPackage],
  ['snyk container', snykPackage],
  ['snyk iac', snykSetting],
  ['trivy', trivyProblem],
]);

/**
 * The drafts of a result, recognised as its problems are in the tool's own format: these tools write into their messages,
 * always in the same words, what that format has fields for.
 */
export function asInOwnFormat(said: Said): FindingDraft[] {
  const retold = [TOOLS.get(said.run.tool.name.toLowerCase())?.(said)].flat();
  return (retold.length > 0 ? retold : [undefined]).map((fields) => ({ ...said.draft, ...fields }));
}
