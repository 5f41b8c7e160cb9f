import type { Asset } from '#shared/assets/asset/asset.ts';
import type { Scope } from '#shared/assets/targets/covers.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { scopeCheck } from '#shared/assets/targets/scope-check.ts';
import { nameOf } from '#shared/assets/targets/targets.ts';
import { isOpen } from '#shared/findings/finding/finding-status.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { Severity } from '#shared/reports/report/report.ts';
import type { IntelDomain, IntelService, IntelVulnerability } from './routes.ts';

const MAX_NAMED = 20;

/** The targets of one type that are not excluded. */
export function targetsOf<T extends ScanTarget['type']>(scope: Scope, type: T): (ScanTarget & { type: T })[] {
  const { isExcluded } = scopeCheck(scope);
  return scope.targets.flatMap((target) => (target.type === type && !isExcluded(target) ? [{ ...target, type }] : []));
}

/** The host names of targets, without addresses. */
export function domainsOf(scope: Scope): IntelDomain[] {
  const { isExcluded } = scopeCheck(scope);
  const domains = new Map<string, IntelDomain>();
  for (const { type, value, zone } of scope.targets) {
    const name = nameOf({ type, value, zone });
    if (name === undefined || /^[\d.]+$|:/.test(name)) continue;
    if (isExcluded({ type: 'domain', value: name, zone })) continue;
    const key = JSON.stringify([zone, name]);
    const current = domains.get(key) ?? { name, zone, subdomains: false, targets: 0 };
    const subdomains = current.subdomains || type === 'domain';
    domains.set(key, { ...current, subdomains, targets: current.targets + 1 });
  }
  return [...domains.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Groups open findings with a CVE by CVE and asset; the worst first. */
export function vulnerabilitiesOf(rows: readonly FindingRow[]): IntelVulnerability[] {
  const groups = new Map<string, IntelVulnerability>();
  for (const finding of rows.filter(({ status }) => isOpen(status)))
    for (const cve of finding.cves) {
      const key = `${cve} ${finding.asset.id}`;
      groups.set(key, withFinding(groups.get(key) ?? emptyGroup(cve, finding), finding));
    }
  return [...groups.values()].sort((a, b) => rankOf(a) - rankOf(b) || (a.cve < b.cve ? 1 : -1));
}

const rankOf = ({ severity }: { severity: Severity }): number => Severity.options.indexOf(severity);

const emptyGroup = (cve: string, { asset, severity, firstSeenAt }: FindingRow): IntelVulnerability => ({
  cve,
  asset,
  severity,
  cvssScore: null,
  epss: null,
  kev: false,
  findings: 0,
  findingIds: [],
  firstSeenAt,
});

function withFinding(group: IntelVulnerability, finding: FindingRow): IntelVulnerability {
  const { id, severity, cvssScore, epss, kev, firstSeenAt } = finding;
  return {
    ...group,
    severity: rankOf({ severity }) < rankOf(group) ? severity : group.severity,
    cvssScore: highest(group.cvssScore, cvssScore),
    epss: highest(group.epss, epss),
    kev: group.kev || kev === true,
    findings: group.findings + 1,
    findingIds: [...group.findingIds, id].slice(0, MAX_NAMED),
    firstSeenAt: firstSeenAt < group.firstSeenAt ? firstSeenAt : group.firstSeenAt,
  };
}

const highest = (a: number | null, b: number | undefined): number | null => (b === undefined ? a : Math.max(a ?? b, b));

/** Groups ports that a scan found open and that are open still by port, service and product; the most common first. */
export function servicesOf(rows: readonly FindingRow[], assets: ReadonlyMap<string, Asset>): IntelService[] {
  const groups = new Map<string, { service: Omit<IntelService, 'assets' | 'exposedAssets' | 'on'>; on: Set<string> }>();
  for (const finding of rows) {
    const service = isOpen(finding.status) ? serviceOf(finding) : undefined;
    if (!service) continue;
    const key = JSON.stringify(service);
    const group = groups.get(key) ?? { service, on: new Set() };
    groups.set(key, { service, on: group.on.add(finding.asset.id) });
  }
  const all = [...groups.values()].map(({ service, on }) => {
    const hosts = [...on].flatMap((id) => assets.get(id) ?? []);
    const exposedAssets = hosts.filter(({ internetExposed }) => internetExposed === true).length;
    const named = hosts.slice(0, MAX_NAMED).map(({ id, name, zone }) => ({ id, name, zone }));
    return { ...service, assets: on.size, exposedAssets, on: named };
  });
  return all.sort((a, b) => b.assets - a.assets || a.port - b.port);
}

/** The service of an open-port finding. Its title names the product, or the service if that is unknown, then the exposure. */
function serviceOf({ ruleId, location, title, tags }: FindingRow) {
  const [, port, protocol] = /:(\d+)\/(\w+)$/.exec(location) ?? [];
  if (ruleId !== 'open-port' || port === undefined || protocol === undefined) return undefined;
  const service = tags.find((tag) => tag.startsWith('service:'))?.slice('service:'.length) ?? null;
  const [, listens = ''] = /^Open port [^:]+: (.+)$/.exec(title) ?? [];
  const [named = ''] = listens.split(' (exposed: ');
  const product = named === '' || named === service ? null : named;
  return { service, product, port: Number(port), protocol };
}
