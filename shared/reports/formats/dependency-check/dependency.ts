import { newestCvss } from '../../readers/cvss.ts';
import { allOrNone } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, isObject, type JsonObject, listAt, plainAt, textAt, textsAt } from '../../readers/json.ts';
import { advisorySeverity, packageProblem } from '../../readers/package-problem.ts';
import { packageOfPurl } from '../../readers/purl.ts';
import { findCwes, pathInTree } from '../../readers/text.ts';
import { ratingsOf } from './rating.ts';

/** The findings of a dependency, or undefined when it or a vulnerability of it has no name. */
export function draftsOf(dependency: JsonObject): FindingDraft[] | undefined {
  if (!textAt(dependency, 'fileName')) return undefined;
  return allOrNone(listAt(dependency, 'vulnerabilities'), (vulnerability) => draftOf(dependency, vulnerability));
}

function draftOf(dependency: JsonObject, vulnerability: unknown): FindingDraft | undefined {
  const id = textAt(vulnerability, 'name');
  const { name, version, purl } = packageOf(dependency);
  if (!id || !name) return undefined;
  const path = pathInTree(textAt(dependency, 'filePath') ?? '');
  const software = listAt(vulnerability, 'vulnerableSoftware').map((one) => fieldAt(one, 'software') ?? one);
  const matched = software.filter((one) => plainAt(one, 'vulnerabilityIdMatched') === 'true');
  const fixedVersions = matched.flatMap((one) => textsAt(one, 'versionEndExcluding')).map(withoutSign);
  const related = listAt(dependency, 'relatedDependencies').flatMap((one) => textsAt(one, 'filePath'));
  return {
    ...packageProblem({
      id,
      component: { name, version, purl, fixedVersions },
      place: withoutVersion(textAt(dependency, 'fileName') ?? '', version),
    }),
    ...advisorySeverity(wordOf(vulnerability)),
    ...newestCvss(ratingsOf(vulnerability)),
    description: textAt(vulnerability, 'description'),
    cwes: findCwes(...textsAt(vulnerability, 'cwes'), ...textsAt(vulnerability, 'cwe')),
    asset: null,
    location: { path },
    otherLocations: related.map((one) => ({ path: pathInTree(one) })),
    references: listAt(vulnerability, 'references').flatMap((one) => textsAt(one, 'url')),
    tags: [...textsAt(vulnerability, 'source'), ...textsAt(dependency, 'projectReferences')],
  };
}

/** npm's advisories come with the range `<1.2.3`. */
const withoutSign = (version: string): string => version.replace(/^<\s*(?=[\w.+-]+$)/, '');

/**
 * The vulnerability's own word, which schema 1 and vulnerabilities without a score have, otherwise the word of its
 * score.
 */
function wordOf(vulnerability: unknown): string | undefined {
  const scores = ['cvssV4', 'cvssv4', 'cvssV3', 'cvssv3', 'cvssV2', 'cvssv2'];
  const words = scores.flatMap((score) => [
    ...textsAt(vulnerability, score, 'baseSeverity'),
    ...textsAt(vulnerability, score, 'baseSeverity>'),
    ...textsAt(vulnerability, score, 'severity'),
  ]);
  return textAt(vulnerability, 'severity') ?? words[0];
}

type Package = { name?: string; version?: string; purl?: string };

/** By its package URL, otherwise by Maven's coordinates of schema 1, otherwise by the file. */
function packageOf(dependency: JsonObject): Package {
  const ids = listAt(dependency, 'packages').filter(isObject);
  const purl = ids.flatMap((one) => textsAt(one, 'id')).find((id) => id.startsWith('pkg:'));
  const coordinates = ids.flatMap((one) => textsAt(one, 'name'))[0]?.replace(/^\(|\)$/g, '');
  const named = packageOfPurl(purl);
  if (named.name) return { ...named, purl };
  if (!coordinates || coordinates.startsWith('cpe:')) return { name: textAt(dependency, 'fileName') };
  const parts = coordinates.split(':');
  return parts.length > 1 ? { name: parts.slice(0, -1).join(':'), version: parts.at(-1) } : { name: coordinates };
}

/** Files are named after their version: `app.war: core-2.1.jar`, `lodash:4.17.20`. */
function withoutVersion(fileName: string, version: string | undefined): string {
  return version ? fileName.replaceAll(version, '*') : fileName.replace(/\d[\d.]{2,40}/g, '*');
}
