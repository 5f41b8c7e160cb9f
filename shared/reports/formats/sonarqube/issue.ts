import { codeIdentity } from '../../readers/code-identity.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { indexAt, type JsonObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { placeBy } from '../../readers/repetitions.ts';
import { cleanPath, findCves, findCwes, firstSentence } from '../../readers/text.ts';
import type { ReportComponent, Severity } from '../../report/report.ts';

/** The finding of an issue or hotspot; `[]` for one that was fixed, or decided in SonarQube. */
export function draftOf(issue: JsonObject, reportProject: string): FindingDraft | [] | undefined {
  const ruleId = textAt(issue, 'rule') ?? textAt(issue, 'ruleKey');
  const key = textAt(issue, 'component');
  if (!ruleId || !key) return undefined;
  if (isClosed(issue)) return [];
  const project = textAt(issue, 'project') ?? reportProject;
  const path = cleanPath(key.startsWith(`${project}:`) ? key.slice(project.length + 1) : key);
  const message = textAt(issue, 'message') ?? ruleId;
  const tags = textsAt(issue, 'tags');
  const component = componentOf(ruleId, message);
  return {
    title: firstSentence(
      component ? `${findCves(message)[0] ?? ruleId} in ${component.name} ${component.version ?? ''}` : message,
    ),
    description: [textAt(issue, 'description'), message].filter((text) => text).join('\n\n'),
    ...severityOf(issue),
    ruleId,
    cves: findCves(message),
    cwes: findCwes(message, ...tags),
    cvssScore: component && scoreIn(message),
    asset: null,
    location:
      path === project ? {} : { path, line: indexAt(issue, 'line') ?? indexAt(issue, 'textRange', 'startLine') },
    otherLocations: placesOf(issue, project),
    component,
    tags: [...textsAt(issue, 'type'), ...textsAt(issue, 'securityCategory'), ...(project ? [project] : []), ...tags],
    place: textAt(issue, 'key') ?? placeBy(indexAt(issue, 'textRange', 'startOffset')),
    identity: codeIdentity({ ruleId, place: path === project ? project : `${project}:${path}`, message }),
  };
}

/** Statuses of issues, and of hotspots (`REVIEWED`); only `issueStatus` has `ACCEPTED` and `FALSE_POSITIVE`. */
const CLOSED = /^(?:CLOSED|RESOLVED|REVIEWED|FIXED|ACCEPTED|FALSE_POSITIVE|IN_SANDBOX)$/;

const isClosed = (issue: JsonObject): boolean =>
  textAt(issue, 'resolution') !== undefined ||
  [textAt(issue, 'status'), textAt(issue, 'issueStatus')].some((status) => CLOSED.test(status ?? ''));

function severityOf(issue: JsonObject): Pick<FindingDraft, 'severity' | 'toolSeverity'> {
  const impacts = listAt(issue, 'impacts');
  const security = impacts.find((impact) => textAt(impact, 'softwareQuality') === 'SECURITY') ?? impacts[0];
  const word = textAt(issue, 'severity') ?? textAt(issue, 'vulnerabilityProbability') ?? textAt(security, 'severity');
  return { severity: SEVERITIES.get(word ?? '') ?? 'info', toolSeverity: word };
}

/** Issues, and since version 10 their impacts, which name the same levels high, medium and low as hotspots do. */
const SEVERITIES = new Map<string, Severity>([
  ['BLOCKER', 'critical'],
  ['CRITICAL', 'high'],
  ['HIGH', 'high'],
  ['MAJOR', 'medium'],
  ['MEDIUM', 'medium'],
  ['MINOR', 'low'],
  ['LOW', 'low'],
  ['INFO', 'info'],
]);

/** The other places on the way of the data to the issue. */
function placesOf(issue: JsonObject, project: string): FindingDraft['otherLocations'] {
  const places = listAt(issue, 'flows').flatMap((flow) => listAt(flow, 'locations'));
  return places.flatMap((place) => {
    const key = textAt(place, 'component');
    if (!key) return [];
    const path = key.startsWith(`${project}:`) ? key.slice(project.length + 1) : key;
    return [{ path: cleanPath(path), line: indexAt(place, 'textRange', 'startLine') }];
  });
}

function scoreIn(message: string): number | undefined {
  const score = /\bCVSS Score: (\d{1,2}(?:\.\d)?)/.exec(message)?.[1];
  return score === undefined ? undefined : Number(score);
}

/** The plug-in of Dependency-Check describes the vulnerable package in words. */
function componentOf(ruleId: string, message: string): ReportComponent | undefined {
  if (!ruleId.includes('UsingComponentWithKnownVulnerability')) return undefined;
  const file = /^Filename: ([^|\n]{1,300})/.exec(message)?.[1]?.trim();
  if (!file) return undefined;
  const colon = file.lastIndexOf(':');
  const [name, version] = colon > 0 ? [file.slice(0, colon), file.slice(colon + 1)] : [file];
  return { name, version, fixedVersions: [] };
}
