import type { FindingDraft } from '../../readers/finding.ts';
import { type JsonObject, numberAt, textAt } from '../../readers/json.ts';
import { pageOf } from '../../readers/site.ts';
import { findCves, findCwes, paragraphs } from '../../readers/text.ts';
import type { Severity } from '../../report/report.ts';

/** The texts that hold for all entries of a category. */
export type Category = { name: string; description?: string; solution?: string; references: string[] };

/** Wapiti's levels from 0, information, to 4, critical. */
const SEVERITIES: Severity[] = ['info', 'low', 'medium', 'high', 'critical'];

/** An entry of a category: another page or parameter is mended elsewhere, so it is a finding of its own. */
export function draftOf(entry: JsonObject, category: Category, target: string | undefined): FindingDraft | undefined {
  const path = textAt(entry, 'path') ?? '/';
  const page = pageOf(URL.canParse(path, target) ? new URL(path, target).href : undefined);
  if (!page || !category.name) return undefined;
  const [info, parameter] = [textAt(entry, 'info')?.trim(), textAt(entry, 'parameter')?.trim()];
  const level = numberAt(entry, 'level');
  return {
    title: info?.startsWith(category.name) ? info : [category.name, info].filter((text) => text).join(': '),
    description: paragraphs(info, category.description),
    severity: SEVERITIES[level ?? 0] ?? 'info',
    toolSeverity: level === undefined ? undefined : String(level),
    ruleId: category.name,
    cves: findCves(info),
    cwes: findCwes(...category.references),
    asset: page.asset,
    location: { ...page.location, snippet: [textAt(entry, 'method'), parameter].filter((text) => text).join(' ') },
    evidence: [
      { kind: 'http', content: textAt(entry, 'http_request')?.trim() ?? '' },
      { kind: 'command', content: textAt(entry, 'curl_command')?.trim() ?? '' },
    ],
    references: category.references.flatMap((text) => /https?:\/\/\S+/.exec(text)?.[0] ?? []),
    remediation: category.solution,
    tags: [textAt(entry, 'module') ?? ''],
    identity: [category.name, page.location.url?.split('?')[0] ?? '', parameter ?? '', info ?? ''],
  };
}
