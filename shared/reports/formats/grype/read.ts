import { newContextBudget, spend } from '../../readers/context-budget.ts';
import { newestCvss } from '../../readers/cvss.ts';
import { readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { withoutScheme } from '../../readers/grype.ts';
import { fieldAt, type JsonObject, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { advisorySeverity, packageProblem } from '../../readers/package-problem.ts';
import { findCwes, pathInTree } from '../../readers/text.ts';
import type { OpenReport, ReportAsset, ReportEvent } from '../../report/report.ts';

/** Grype's matches of packages with vulnerabilities. Ignored matches are in a list of their own. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Grype' };
  let image: ReportAsset | null = null;
  const known = await advisoriesOf(open);
  const entries = matchesIn(open, (objects) => {
    for (const object of objects) image ??= assetOf(object);
  });
  const draft = (match: JsonObject, { parents: [report] }: NestedEntry) => draftOf(match, report, known);
  yield* readEntries(entries, draft, 'the match names no vulnerability or no package');
  if (image) yield { kind: 'covered', target: image, aliases: [], outcome: 'reached' };
}

const matchesIn = (open: OpenReport, onAround?: (objects: Iterable<JsonObject>) => void) =>
  nestedEntries(open, {
    entries: [['matches', '[]']],
    ignored: [
      ['ignoredMatches', '[]'],
      ['alertsByPackage', '[]'],
    ],
    // Early versions write null where there is no match.
    isReport: ({ matches, source }) => matches === null && source !== undefined,
    ...(onAround && { onAround }),
  });

/** GitHub's advisories by package and CVE. The database of Go describes a problem a second time, under another id. */
type Advisories = Map<string, string>;

async function advisoriesOf(open: OpenReport): Promise<Advisories> {
  const advisories: Advisories = new Map();
  const budget = newContextBudget();
  for await (const { value } of matchesIn(open)) {
    const id = textAt(value, 'vulnerability', 'id') ?? '';
    if (!id.startsWith('GHSA-') || textAt(value, 'artifact', 'type') !== 'go-module') continue;
    for (const key of keysOf(value, id)) {
      spend(budget, 200 + 2 * key.length);
      if (!advisories.has(key)) advisories.set(key, id);
    }
  }
  return advisories;
}

/** A match by its package and each of its ids. */
const keysOf = (match: unknown, id: string): string[] =>
  [id, ...relatedTo(match).flatMap((entry) => textsAt(entry, 'id'))].map((one) =>
    JSON.stringify([one, textAt(match, 'artifact', 'name'), textAt(match, 'artifact', 'locations', 0, 'path')]),
  );

const relatedTo = (match: unknown): unknown[] => listAt(match, 'relatedVulnerabilities');

/** GitHub's advisory in place of that of Go's own database, if the report has both. */
const leadOf = (match: JsonObject, id: string, known: Advisories): string =>
  (id.startsWith('GO-') ? keysOf(match, id).flatMap((key) => known.get(key) ?? [])[0] : undefined) ?? id;

function draftOf(match: JsonObject, report: JsonObject | undefined, known: Advisories): FindingDraft | undefined {
  const [vulnerability, artifact] = [fieldAt(match, 'vulnerability'), fieldAt(match, 'artifact')];
  const [id, name] = [textAt(vulnerability, 'id'), textAt(artifact, 'name')];
  if (!id || !name) return undefined;
  const related = relatedTo(match);
  const paths = listAt(artifact, 'locations').flatMap((location) => textsAt(location, 'path'));
  const asset = assetOf(report);
  const [place = '', ...others] = asset ? paths : paths.map(pathInTree);
  const cvss = newestCvss([vulnerability, ...related].flatMap(ratingsOf));
  return {
    ...packageProblem({
      id: leadOf(match, id, known),
      aliases: [id, ...related.flatMap((entry) => textsAt(entry, 'id'))],
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
  return { type: 'container_image', value: withoutScheme(image) };
}
