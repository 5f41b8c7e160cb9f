import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, type JsonObject, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { checkOfKubescape } from './benchmark.ts';
import { severityOf } from './severity.ts';

/** The findings of a control: one for each object that one of its rules reports, unless an exception covers it. */
export function draftsOfControl(control: JsonObject): Iterable<FindingDraft> | undefined {
  const ruleId = textAt(control, 'controlID') ?? textAt(control, 'id');
  if (!ruleId) return undefined;
  const responses = listAt(control, 'ruleReports')
    .values()
    .flatMap((rule) => listAt(rule, 'ruleResponses'))
    .filter((response) => !fieldAt(response, 'exception'));
  return responses.flatMap((response) =>
    objectsOf(response).map((name) => draftOf({ control, ruleId }, response, name)),
  );
}

function draftOf({ control, ruleId }: { control: JsonObject; ruleId: string }, response: unknown, name: string) {
  const factor = numberAt(control, 'baseScore');
  return {
    title: `${textAt(control, 'name') ?? ruleId}: ${name}`,
    description: textAt(control, 'description'),
    severity: severityOf(factor),
    toolSeverity: factor === undefined ? undefined : String(factor),
    ruleId,
    check: checkOfKubescape(ruleId),
    asset: null,
    location: { path: name },
    evidence: [{ kind: 'text', content: placesOf(response) }],
    references: [`https://hub.armosec.io/docs/${ruleId.toLowerCase()}`],
    remediation: textAt(control, 'remediation'),
    place: JSON.stringify(fieldAt(response, 'alertObject', 'externalObjects')),
    identity: [ruleId, name, ''],
  } satisfies FindingDraft;
}

/**
 * Hosts and clouds are external objects. Kubernetes objects are spelled as in version 2 of the format:
 * `apps/v1/shop/Deployment/web`.
 */
function objectsOf(response: unknown): string[] {
  const objects = listAt(response, 'alertObject', 'k8sApiObjects');
  if (objects.length === 0) return [textAt(response, 'alertObject', 'externalObjects', 'name') ?? 'external object'];
  return objects.map((object) =>
    [
      textAt(object, 'apiVersion'),
      textAt(object, 'metadata', 'namespace') ?? textAt(object, 'namespace'),
      textAt(object, 'kind'),
      textAt(object, 'metadata', 'name') ?? textAt(object, 'name'),
    ]
      .map((part) => part ?? '')
      .join('/'),
  );
}

const MAX_PLACES = 50;

function placesOf(response: unknown): string {
  const fixes = listAt(response, 'fixPaths').map(
    (fix) => `${textAt(fix, 'path') ?? ''} = ${textAt(fix, 'value') ?? ''}`,
  );
  const lines = [...textsAt(response, 'alertMessage'), ...textsAt(response, 'failedPaths'), ...fixes];
  return lines.slice(0, MAX_PLACES).join('\n');
}
