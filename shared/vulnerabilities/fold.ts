import type { Facts } from '../advisories/facts.ts';
import type { OsvRecord } from '../advisories/osv.ts';
import type { AdvisoryRecord } from '../advisories/records.ts';
import { isOpen } from '../entities/finding-status.ts';
import type { StoredVulnerability, VulnerabilityFacts } from '../entities/vulnerability.ts';
import { type Danger, priorityOf } from '../findings/priority.ts';
import { ssvcOf } from '../findings/ssvc.ts';
import { packagePurl } from '../reports/purl.ts';
import { type ReportComponent, Severity } from '../reports/report.ts';
import { given } from '../runtime/given.ts';
import type { Draft } from '../table/table.ts';
import type { Bag } from '../views/bag.ts';
import { packageKey, purlOfComponent } from './contributions.ts';
import { dueAtOf, returnedAt } from './spans.ts';

type Own = Pick<StoredVulnerability, 'key' | 'decision' | 'assignee'> & { epss?: StoredVulnerability['epss'] };
type Said = Bag<VulnerabilityFacts>;

/** Published facts about vulnerabilities, and the tags of assets by their ids. */
export type Published = Facts & {
  record: (id: string) => AdvisoryRecord | undefined;
  osv: (id: string) => readonly OsvRecord[];
  tagsOfAsset: (id: string) => readonly string[];
};

/** Most values of a list: of versions, tags and rules. */
const MAX_LIST = 50;

/**
 * A vulnerability as it follows from its findings, the feeds and what people decided; the order in which these came leaves
 * no trace.
 */
export function foldVulnerability(said: Said, own: Own, feeds: Published): Draft<StoredVulnerability> {
  const facts = said.map(([one]) => one);
  const [first] = facts;
  if (!first) throw new Error('a vulnerability without findings');
  const { advisoryId } = first;
  const aliases = union(facts.map((one) => one.aliases));
  const component = componentOf(facts, feeds.record(advisoryId), feeds.osv(advisoryId));
  const applicationIds = union(facts.map((one) => one.applicationIds ?? []));
  const asset = firstByText(facts.map((one) => one.asset)) ?? first.asset;
  const assetTags = feeds.tagsOfAsset(asset.id).toSorted();
  const ruleIds = union(facts.map(({ ruleId }) => (ruleId === undefined ? [] : [ruleId])));
  return {
    ...{ key: own.key, assignee: own.assignee },
    ...{ advisoryId, aliases, title: titleOf(advisoryId, component), component },
    ...ratingsOf(facts, { ids: [advisoryId, ...aliases], standing: own.epss }, feeds),
    ...decidedFields(facts, own.decision),
    ...{ asset, assetTags: assetTags.length > 0 ? assetTags : undefined },
    findingsCount: said.reduce((sum, [, times]) => sum + times, 0),
    tools: union(facts.map(({ tool }) => [tool])),
    tags: union(facts.map(({ tags }) => tags)),
    applicationIds: applicationIds.length > 0 ? applicationIds : undefined,
    ruleIds: ruleIds.length > 0 ? ruleIds : undefined,
    said: said.map(([one, times]) => [one, times]),
  };
}

/** The fields that a decision changes, and the times beside them. */
export function decidedFields(facts: readonly VulnerabilityFacts[], decision: Own['decision']) {
  const status = statusOf(facts, decision);
  const fixed = facts.flatMap(({ fixedAt }) => fixedAt ?? []).sort();
  const acknowledged = facts.flatMap(({ acknowledgedAt }) => acknowledgedAt ?? []);
  return {
    ...{ status, decision },
    firstSeenAt: facts.map(({ firstSeenAt }) => firstSeenAt).sort()[0] ?? '',
    reopenedAt: returnedAt(facts),
    acknowledgedAt: [...acknowledged, ...(decision ? [decision.at] : [])].sort()[0],
    fixedAt: status === 'fixed' ? fixed.at(-1) : undefined,
    dueAt: dueAtOf(facts),
  };
}

/** Fixed when all findings are; else by decision of a person; else the status of the findings that are left. */
function statusOf(facts: readonly VulnerabilityFacts[], decision: Own['decision']): StoredVulnerability['status'] {
  const left = new Set(facts.map(({ status }) => status).filter((status) => status !== 'fixed'));
  if (left.size === 0) return 'fixed';
  if (decision) return decision.status;
  if (left.has('open')) return 'open';
  if (left.has('in_progress')) return 'in_progress';
  return left.has('risk_accepted') ? 'risk_accepted' : 'false_positive';
}

type Named = { ids: readonly string[]; standing: Own['epss'] };

function ratingsOf(facts: readonly VulnerabilityFacts[], { ids, standing }: Named, feeds: Published) {
  const open = facts.filter(({ status }) => isOpen(status));
  const severity = highestSeverity(open.length > 0 ? open : facts);
  const [id = ''] = ids;
  const cvss = { ...reportedCvss(facts), ...osvCvss(feeds.osv(id)), ...feeds.record(id)?.cvss };
  const [score] = ids.flatMap((id) => feeds.epss(id) ?? []).sort((a, b) => b.probability - a.probability);
  const epss = score && feeds.epssDate ? datedScore({ ...score, date: feeds.epssDate }, standing) : undefined;
  const kev = ids.flatMap((id) => feeds.kev(id) ?? [])[0];
  const danger = dangerOf({ severity, cvss, epss, kev }, facts);
  return { severity, cvss, epss, kev, priority: priorityOf(danger), ssvc: ssvcOf(danger).decision };
}

type Dated = NonNullable<StoredVulnerability['epss']>;

/** A score has the day of the feed that brought it: one that a later feed leaves is not written anew. */
const datedScore = (score: Dated, standing: Own['epss']): Dated =>
  standing?.probability === score.probability && standing.percentile === score.percentile ? standing : score;

type Rated = Pick<StoredVulnerability, 'severity' | 'cvss' | 'epss' | 'kev'>;

/** The measures from which the priority and the SSVC decision of a vulnerability follow. */
export function dangerOf(
  { severity, cvss, epss, kev }: Rated,
  facts: readonly VulnerabilityFacts[],
): Danger & { cvssVector?: string | undefined } {
  const rating = cvss.v4 ?? cvss.v3 ?? cvss.v2;
  return {
    severity,
    ...given({ cvssScore: rating?.score, cvssVector: rating?.vector, epss: epss?.probability }),
    ...given({ kev: kev && true, stakes: firstByText(facts.flatMap(({ stakes }) => stakes ?? [])) }),
    ...(facts.some(({ status, late }) => late && isOpen(status)) && { late: true }),
  };
}

/** The rating of the first record, by id, that has one of a version. */
const osvCvss = (records: readonly OsvRecord[]): StoredVulnerability['cvss'] =>
  Object.assign({}, ...records.toSorted((a, b) => (a.id < b.id ? 1 : -1)).map(({ cvss }) => cvss));

/** The highest rating of each version that a report gives; NVD's or OSV's, where they have one, count before. */
function reportedCvss(facts: readonly VulnerabilityFacts[]): StoredVulnerability['cvss'] {
  const cvss: StoredVulnerability['cvss'] = {};
  for (const { cvss: rating } of facts) {
    if (!rating) continue;
    const version = versionOf(rating.vector);
    const known = cvss[version];
    if (!known || isAbove(rating, known)) cvss[version] = rating;
  }
  return cvss;
}

type Rating = { vector: string; score: number };
const isAbove = (a: Rating, b: Rating): boolean => a.score > b.score || (a.score === b.score && a.vector < b.vector);

const versionOf = (vector: string): 'v2' | 'v3' | 'v4' =>
  vector.startsWith('CVSS:4') ? 'v4' : vector.startsWith('CVSS:3') ? 'v3' : 'v2';

const highestSeverity = (facts: readonly VulnerabilityFacts[]): Severity =>
  Severity.options.find((severity) => facts.some((one) => one.severity === severity)) ?? 'info';

/**
 * Findings name one package, each in its tool's way: one with a package URL says the most, and of equals the first by text counts,
 * of those that are not fixed where there are such. Where none has a URL, OSV's records of the advisory may tell it. Versions that repair
 * it are those of the reports, and where they name none OSV's for the same package, else NVD's for a product of the same name.
 */
function componentOf(
  facts: readonly VulnerabilityFacts[],
  record: AdvisoryRecord | undefined,
  osv: readonly OsvRecord[],
): StoredVulnerability['component'] {
  const all = facts.flatMap(({ component }) => component ?? []);
  const left = facts.flatMap(({ status, component }) => (status === 'fixed' ? [] : (component ?? [])));
  const counting = left.length > 0 ? left : all;
  const located = counting.filter(({ purl }) => purl);
  const component = firstByText(located.length > 0 ? located : counting);
  if (!component) return undefined;
  const reported = union(all.map(({ fixedVersions }) => fixedVersions));
  const name = plainName(component.name);
  const repaired = osv.flatMap(({ fixed }) => fixed).map((one) => ({ ...one, purl: packagePurl(one.purl) }));
  const purl = purlOfComponent(component) ?? onlyPurl(component, repaired);
  const ofPackage = repaired.filter((one) => one.purl === purl);
  const ofProduct = (record?.fixed ?? []).filter(({ product }) => plainName(product) === name);
  const versionsOf = (all: readonly { version: string }[]) => union([all.map(({ version }) => version)]);
  const published = ofPackage.length > 0 ? ofPackage : ofProduct;
  const fixedVersions = reported.length > 0 ? reported : versionsOf(published);
  return { ...component, ...given({ purl: component.purl ?? purl }), fixedVersions };
}

/** The package of an advisory that has the name of a component, if no two ecosystems have one. */
function onlyPurl(component: ReportComponent, repaired: readonly { purl: string }[]): string | undefined {
  const purls = new Set(repaired.map(({ purl }) => purl));
  const named = [...purls].filter((purl) => packageKey({ name: purl, purl }) === packageKey(component));
  return named.length === 1 ? named[0] : undefined;
}

/** CPE writes `spring_framework`, packages `spring-framework`. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** While the asset is changed its findings differ for a moment: whatever their order, the same one counts. */
const firstByText = <T>(all: readonly T[]): T | undefined =>
  all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))[0];

function titleOf(advisoryId: string, component: StoredVulnerability['component']): string {
  if (!component) return advisoryId;
  const { name, version } = component;
  return `${advisoryId} in ${version ? `${name} ${version}` : name}`;
}

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())].sort().slice(0, MAX_LIST);
