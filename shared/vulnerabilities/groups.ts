import { hash } from 'node:crypto';
import { isOpen } from '../entities/finding-status.ts';
import { type StoredVulnerability, vulnerabilities } from '../entities/vulnerability.ts';
import { advisoryGroups, fixGroups, type GroupedFacts, type StoredGroup } from '../entities/vulnerability-group.ts';
import { Severity } from '../reports/report.ts';
import { given } from '../runtime/given.ts';
import { ordinalOf } from '../runtime/ids.ts';
import type { Draft } from '../table/table.ts';
import { changeBag } from '../views/bag.ts';
import { type Change, sourceOf, type View, viewOf } from '../views/view.ts';
import { componentKey, purlOfComponent } from './contributions.ts';
import { closingVersion, compareVersions } from './versions.ts';

type Facts = GroupedFacts & { asset: string };

const factsOf = ({ asset, severity, priority, epss, kev }: StoredVulnerability): Omit<Facts, 'name'> => ({
  asset: ordinalOf(asset.id).toString(36),
  ...{ severity, priority },
  ...given({ epss: epss?.probability, kev: kev && (true as const) }),
});

function byAdvisory(vulnerability: StoredVulnerability) {
  const { status, advisoryId } = vulnerability;
  return isOpen(status) ? [{ key: advisoryId, facts: { ...factsOf(vulnerability), name: advisoryId } }] : [];
}

function byFix(vulnerability: StoredVulnerability) {
  const { status, component } = vulnerability;
  const fix = component && closingVersion(component.version, component.fixedVersions);
  const key = fixKeyOf(vulnerability);
  if (!isOpen(status) || !fix || key === undefined) return [];
  const { name } = component;
  const purl = purlOfComponent(component);
  return [{ key, facts: { ...factsOf(vulnerability), name, fix, ...given({ purl }) } }];
}

/** The key of the group in which a vulnerability is while it is open and an upgrade closes it. */
export function fixKeyOf({ component }: Pick<StoredVulnerability, 'component'>): string | undefined {
  const key = componentKey(component);
  return key === undefined ? undefined : hash('sha256', key, 'base64url').slice(0, 27);
}

function apply(
  standing: StoredGroup | undefined,
  { key, added, removed }: Change<Facts>,
): Draft<StoredGroup> | undefined {
  const onAssets = changeBag(standing?.onAssets ?? [], { added: added.map(assetOf), removed: removed.map(assetOf) });
  const said = changeBag<GroupedFacts>(standing?.said ?? [], {
    added: added.map(others),
    removed: removed.map(others),
  });
  const facts = said.map(([one]) => one);
  const [first] = facts;
  if (!first) return undefined;
  const countOf = (severity: Severity) =>
    said.reduce((sum, [one, times]) => sum + (one.severity === severity ? times : 0), 0);
  const counts = Severity.options.map((severity): [Severity, number] => [severity, countOf(severity)]);
  const chances = facts.flatMap(({ epss }) => epss ?? []);
  return {
    ...{ key, name: first.name, purl: first.purl },
    severity: counts.find(([, n]) => n > 0)?.[0] ?? 'info',
    priority: Math.max(...facts.map(({ priority }) => priority)),
    open: said.reduce((sum, [, times]) => sum + times, 0),
    openBySeverity: Object.fromEntries(counts) as StoredGroup['openBySeverity'],
    assets: onAssets.length,
    epss: chances.length > 0 ? Math.max(...chances) : undefined,
    kev: facts.some(({ kev }) => kev) ? true : undefined,
    fix: facts
      .flatMap(({ fix }) => fix ?? [])
      .toSorted(compareVersions)
      .at(-1),
    said: said.map(([one, times]) => [one, times]),
    onAssets: onAssets.map(([asset, times]) => [asset, times]),
  };
}

const assetOf = ({ asset }: Facts): string => asset;
const others = ({ asset: _asset, ...facts }: Facts): GroupedFacts => facts;

const view = (name: string, target: typeof fixGroups, contributions: typeof byFix | typeof byAdvisory): View =>
  viewOf({ name, sources: [sourceOf(vulnerabilities, contributions)], target, field: 'key', apply });

/** Open vulnerabilities by their advisory: how far it reaches. */
export const advisoryGroupView: View = view('advisories', advisoryGroups, byAdvisory);

/** Open vulnerabilities by the component whose upgrade closes them. */
export const fixGroupView: View = view('fixes', fixGroups, byFix);
