import { newestCvss } from '../../readers/cvss.ts';
import { readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { imageName } from '../../readers/grype.ts';
import { fieldAt, type JsonObject, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { advisorySeverity, packageProblem } from '../../readers/package-problem.ts';
import { findCwes, pathInTree } from '../../readers/text.ts';
import type { OpenReport, ReportAsset, ReportEvent } from '../../report/report.ts';

/** Grype's matches of packages with vulnerabilities. Ignored matches are in a list of their own. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Grype' };
  let image: ReportAsset | null = null;
  const entries = nestedEntries(open, {
    entries: [['matches', '[]']],
    ignored: [
      ['ignoredMatches', '[]'],
      ['alertsByPackage', '[]'],
    ],
    // Early versions write null where there is no match.
    isReport: ({ matches, source }) => matches === null && source !== undefined,
    onAround: (objects) => {
      for (const object of objects) image ??= assetOf(object);
    },
  });
  yield* readEntries(entries, draftOf, 'the match names no vulnerability or no package');
  if (image) yield { kind: 'covered', target: image, aliases: [], outcome: 'reached' };
}

function draftOf(match: JsonObject, { parents: [report] }: NestedEntry): FindingDraft | undefined {
  const [vulnerability, artifact] = [fieldAt(match, 'vulnerability'), fieldAt(match, 'artifact')];
  const [id, name] = [textAt(vulnerability, 'id'), textAt(artifact, 'name')];
  if (!id || !name) return undefined;
  const related = listAt(match, 'relatedVulnerabilities');
  const paths = listAt(artifact, 'locations').flatMap((location) => textsAt(location, 'path'));
  const asset = assetOf(report);
  const [place = '', ...others] = asset ? paths : paths.map(pathInTree);
  const cvss = newestCvss([vulnerability, ...related].flatMap(ratingsOf));
  return {
    ...packageProblem({
      id,
      aliases: related.flatMap((entry) => textsAt(entry, 'id')),
      component: {
        name,
        version: textAt(artifact, 'version'),
        purl: textAt(artifact, 'purl'),
        fixedVersions: textsAt(vulnerability, 'fix', 'versions'),
      },
      place,
    }),
    ...severityOf(vulnerability, cvss),
    ...cvss,
    ...(FIX_STATES.has(textAt(vulnerability, 'fix', 'state') ?? '') && {
      remediation: FIX_STATES.get(textAt(vulnerability, 'fix', 'state') ?? ''),
    }),
    description: textAt(vulnerability, 'description') ?? textAt(related[0], 'description'),
    cwes: findCwes(...[vulnerability, ...related].flatMap((entry) => listAt(entry, 'cwes').flatMap(cweOf))),
    asset,
    otherLocations: others.map((path) => ({ path })),
    evidence: [{ kind: 'text', content: listAt(match, 'matchDetails').map(reasonOf).join('\n') }],
    references: [vulnerability, ...related].flatMap(linksOf),
  };
}

const linksOf = (entry: unknown): string[] => [...textsAt(entry, 'dataSource'), ...textsAt(entry, 'urls')];

/** Of `fix.state`; a fixed vulnerability has versions. */
const FIX_STATES = new Map([
  ['not-fixed', 'No version with a fix is published yet.'],
  ['wont-fix', 'The distributor will not fix it in this release.'],
]);

/** Grype's words are ours, besides Negligible and Unknown. */
function severityOf(vulnerability: unknown, { cvssScore }: Pick<FindingDraft, 'cvssScore'>) {
  const rated = advisorySeverity(textAt(vulnerability, 'severity'));
  return rated.severity || cvssScore !== undefined ? rated : { ...rated, severity: 'info' as const };
}

const ratingsOf = (vulnerability: unknown) =>
  listAt(vulnerability, 'cvss').map((rating) => ({
    cvssVector: textAt(rating, 'vector'),
    cvssScore: numberAt(rating, 'metrics', 'baseScore'),
  }));

const cweOf = (entry: unknown): string[] => [...textsAt(entry), ...textsAt(entry, 'cwe')];

/** `exact-direct-match by dpkg-matcher: < 1.2 (deb)` */
function reasonOf(detail: unknown): string {
  const matched = [textAt(detail, 'type'), textAt(detail, 'matcher')].filter((part) => part).join(' by ');
  return [matched, textAt(detail, 'found', 'versionConstraint')].filter((part) => part).join(': ');
}

/** A directory or file is part of the repository that is scanned; only an image has a name of its own. */
function assetOf(report: unknown): ReportAsset | null {
  const target = fieldAt(report, 'source', 'target');
  const image = textAt(target, 'userInput') ?? textAt(target, 'tags', 0);
  if (textAt(report, 'source', 'type') !== 'image' || !image) return null;
  return { type: 'container_image', value: imageName(image) };
}
