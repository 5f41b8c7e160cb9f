import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import type { Reading } from '../../readers/format.ts';
import { fieldAt, indexAt, type JsonObject, listAt, numberAt, plainAt, textAt, textsAt } from '../../readers/json.ts';
import { placeBy } from '../../readers/repetitions.ts';
import { pageOf } from '../../readers/site.ts';
import { cleanPath, findCves, findCwes, pathInTree } from '../../readers/text.ts';
import { AssetType, type ReportAsset, type ReportComponent, type ReportLocation } from '../../report/report.ts';

/** Statuses without remaining work. */
const DONE = new Set(['fixed', 'mitigated', 'resolved', 'closed', 'false_positive', 'duplicate', 'out_of_scope']);

export function draftOf(entry: JsonObject, { decides }: Reading): FindingDraft | [] | undefined {
  const title = textAt(entry, 'title');
  const severity = severityOf(textAt(entry, 'severity'));
  if (!title || !severity) return undefined;
  if (decides !== false && isDone(entry)) return [];
  const named = locationOf(entry);
  const asset = assetOf(entry, named);
  const location = asset && asset.type !== 'repository' ? named : inTree(named);
  const component = componentOf(entry);
  const id = textAt(entry, 'id') ?? textAt(entry, 'unique_id_from_tool');
  const ruleId = textAt(entry, 'ruleId') ?? textAt(entry, 'vuln_id_from_tool') ?? title;
  return {
    title,
    description: [textAt(entry, 'description'), textAt(entry, 'impact')].filter((text) => text).join('\n\n'),
    severity,
    toolSeverity: textAt(entry, 'toolSeverity') ?? textAt(entry, 'severity'),
    ruleId,
    ...identifiersOf(entry),
    asset,
    location,
    otherLocations: [...listAt(entry, 'otherLocations').map(placeOf), ...endpointsOf(entry).slice(1)],
    ...(component && { component }),
    evidence: evidenceOf(entry),
    references: textsAt(entry, 'references').flatMap((text) => text.split('\n')),
    remediation: textAt(entry, 'remediation') ?? textAt(entry, 'mitigation'),
    tags: textsAt(entry, 'tags').flatMap((tags) => tags.split(',')),
    place: id === undefined ? placeBy(title, textAt(entry, 'description')) : undefined,
    identity: id ? [id] : [ruleId, ...placeIn(location), component?.name ?? ''],
  };
}

/** Only the file of a repository is in the tree of a build machine. */
const inTree = (place: ReportLocation): ReportLocation => ({ ...place, path: place.path && pathInTree(place.path) });

const placeIn = ({ path, url, host, port }: ReportLocation): string[] => [
  path ?? url ?? host ?? '',
  String(port ?? ''),
];

const identifiersOf = (entry: JsonObject): Pick<FindingDraft, 'cves' | 'cwes' | 'cvssVector' | 'cvssScore'> => ({
  cves: findCves(...['cve', 'cves', 'vulnerability_ids'].flatMap((key) => textsAt(entry, key))),
  cwes: ['cwe', 'cwes'].flatMap((key) => cwesAt(entry, key)),
  cvssVector: textAt(entry, 'cvssVector') ?? textAt(entry, 'cvssv3') ?? textAt(entry, 'cvssv4'),
  cvssScore: numberAt(entry, 'cvssScore') ?? numberAt(entry, 'cvssv3_score'),
});

const severityOf = (word: string | undefined) =>
  severityOfWord(word?.trim().toLowerCase() === 'informational' ? 'info' : word);

const isTrue = (value: unknown): boolean => value === true || /^(true|yes|1)$/i.test(plainAt(value) ?? '');

/** An entry that other products would import as closed reports no problem. */
function isDone(entry: JsonObject): boolean {
  if (DONE.has(textAt(entry, 'status')?.toLowerCase() ?? '')) return true;
  if (['is_mitigated', 'false_p', 'duplicate', 'out_of_scope'].some((key) => isTrue(entry[key]))) return true;
  return /^(false|no|0)$/i.test(plainAt(entry, 'active') ?? '');
}

function cwesAt(entry: JsonObject, key: string): string[] {
  const value = fieldAt(entry, key);
  return (Array.isArray(value) ? value : [value]).flatMap((cwe) =>
    /^\d{1,5}$/.test(plainAt(cwe) ?? '') ? [`CWE-${Number(cwe)}`] : findCwes(...textsAt([cwe], 0)),
  );
}

/** The structured `location`, or the flat fields. */
const locationOf = (entry: JsonObject): ReportLocation =>
  placeOf(fieldAt(entry, 'location') ?? { ...endpointsOf(entry)[0], ...entry });

/** Places as another product's generic report names them: an address, a host, or its parts. */
function endpointsOf(entry: JsonObject): ReportLocation[] {
  return listAt(entry, 'endpoints').map((endpoint) => {
    const text = textAt({ endpoint }, 'endpoint');
    if (text) return pageOf(text) ? { url: text } : { host: text };
    const [scheme, host] = [textAt(endpoint, 'protocol'), textAt(endpoint, 'host')];
    const port = indexAt(endpoint, 'port');
    const rest = [textAt(endpoint, 'path')?.replace(/^\/?/, '/'), textAt(endpoint, 'query')?.replace(/^\??/, '?')].join(
      '',
    );
    const url = `${scheme}://${host}${port === undefined ? '' : `:${port}`}${rest}`;
    return host && /^https?$/i.test(scheme ?? '') && pageOf(url) ? { url } : { host, port };
  });
}

function placeOf(from: unknown): ReportLocation {
  const path = textAt(from, 'path') ?? textAt(from, 'file_path');
  return {
    host: textAt(from, 'host'),
    port: indexAt(from, 'port'),
    protocol: textAt(from, 'protocol'),
    url: textAt(from, 'url'),
    path: path && cleanPath(path),
    line: indexAt(from, 'line'),
    snippet: textAt(from, 'snippet'),
  };
}

/** An object of the JSON, or two cells of the CSV. */
function assetOf(entry: JsonObject, { url, host }: ReportLocation): ReportAsset | null {
  const type = AssetType.safeParse(textAt(entry, 'asset', 'type') ?? textAt(entry, 'asset_type'));
  const value = textAt(entry, 'asset', 'value') ?? textAt(entry, 'asset_value');
  if (type.success && value) return { type: type.data, value };
  return pageOf(url)?.asset ?? (host ? { type: 'host', value: host } : null);
}

function componentOf(entry: JsonObject): ReportComponent | undefined {
  const from = fieldAt(entry, 'component');
  const name = textAt(from, 'name') ?? textAt(entry, 'component_name');
  if (!name) return undefined;
  return {
    name,
    version: textAt(from, 'version') ?? textAt(entry, 'component_version'),
    purl: textAt(from, 'purl'),
    fixedVersions: [...textsAt(from, 'fixedVersions'), ...textsAt(entry, 'fixed_version')],
  };
}

const evidenceOf = (entry: JsonObject): NonNullable<FindingDraft['evidence']> =>
  textAt(entry, 'evidence')
    ? [{ kind: 'text', content: textAt(entry, 'evidence') ?? '' }]
    : listAt(entry, 'evidence').flatMap((item) => {
        const [kind, content] = [textAt(item, 'kind'), textAt(item, 'content')];
        return content ? [{ kind: kind === 'http' || kind === 'command' ? kind : ('text' as const), content }] : [];
      });
