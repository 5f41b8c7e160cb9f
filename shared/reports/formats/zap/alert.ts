import type { FindingDraft } from '../../readers/finding.ts';
import { htmlText } from '../../readers/html.ts';
import { type JsonObject, listAt, numberAt, textAt } from '../../readers/json.ts';
import { pageOf } from '../../readers/site.ts';
import { findCves } from '../../readers/text.ts';
import type { ReportEvidence, ReportLocation, Severity } from '../../report/report.ts';

/** ZAP's risk levels, in the order of `riskcode`. */
const SEVERITIES: Severity[] = ['info', 'low', 'medium', 'high'];

/** The origin of a site, `https://shop.example.test`. */
export const siteOf = (name: string): string => pageOf(name)?.asset.value ?? name;

/**
 * An alert is one finding of its site, with every URL where it was raised: one change repairs the site. `null`: no
 * finding.
 */
export function draftOf(alert: JsonObject, site: string): FindingDraft | null | undefined {
  const name = textAt(alert, 'name') ?? textAt(alert, 'alert');
  const rule = textAt(alert, 'alertRef') ?? textAt(alert, 'pluginid');
  if (!name || !rule) return undefined;
  // ZAP writes a false positive of a user with a confidence of 0.
  if (numberAt(alert, 'confidence') === 0) return null;
  // Before version 2.5, and in the API, an alert is one for each address.
  const instances = textAt(alert, 'uri') ? [alert] : listAt(alert, 'instances');
  const [location = {}, ...otherLocations] = instances.map(placeOf);
  const cwe = numberAt(alert, 'cweid') ?? 0;
  const description = htmlText(textAt(alert, 'desc'));
  return {
    title: name,
    description: [description, htmlText(textAt(alert, 'otherinfo'))].filter((text) => text).join('\n\n'),
    severity: SEVERITIES[numberAt(alert, 'riskcode') ?? 0] ?? 'info',
    toolSeverity: textAt(alert, 'riskdesc') ?? textAt(alert, 'riskcode'),
    ruleId: rule,
    cves: findCves(name, description),
    cwes: cwe > 0 ? [`CWE-${cwe}`] : [],
    asset: site ? { type: 'url', value: siteOf(site) } : null,
    location,
    otherLocations,
    evidence: instances.flatMap(evidenceOf),
    references: (htmlText(textAt(alert, 'reference')) ?? '').split('\n'),
    remediation: htmlText(textAt(alert, 'solution')),
    tags: listAt(alert, 'tags').flatMap((tag) => textAt(tag, 'tag') ?? []),
    // The reference splits a rule into its kinds; two alerts of one rule with different names are two problems.
    identity: [rule, name],
  };
}

function placeOf(instance: unknown): ReportLocation {
  const uri = textAt(instance, 'uri');
  const parts = [textAt(instance, 'method'), textAt(instance, 'param') && `parameter ${textAt(instance, 'param')}`];
  return { ...(pageOf(uri)?.location ?? { url: uri }), snippet: parts.filter((part) => part).join(', ') };
}

function evidenceOf(instance: unknown): ReportEvidence[] {
  const shown = [textAt(instance, 'attack') && `Attack: ${textAt(instance, 'attack')}`, textAt(instance, 'evidence')];
  const http = ['request', 'response'].map((part) => [
    textAt(instance, `${part}header`) ?? textAt(instance, `${part}-header`),
    textAt(instance, `${part}body`) ?? textAt(instance, `${part}-body`),
  ]);
  return [
    { kind: 'text' as const, content: shown.filter((text) => text).join('\n') },
    ...http.map((parts) => ({ kind: 'http' as const, content: parts.filter((text) => text).join('\n\n') })),
  ].filter(({ content }) => content !== '');
}
