import { readAliases } from '../advisories/aliases.ts';
import { exposedCredentials } from '../entities/exposed-credential.ts';
import { findings } from '../entities/finding.ts';
import { isOpen } from '../entities/finding-status.ts';
import { vulnerabilities } from '../entities/vulnerability.ts';
import { readSla } from '../findings/sla-policies.ts';
import type { FindingRow } from '../findings/view.ts';
import { now } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { ordinalOf } from '../runtime/ids.ts';
import { wholeRecordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import { readTargets } from '../views/targets.ts';
import { vulnerabilitiesOf } from './contributions.ts';
import { credentialsOf, decidedSecret } from './decided-secrets.ts';
import { followingChanges } from './overlay.ts';

type Place = { connections: Connections; table: Table };

const NO_RULES: ReadonlySet<string> = new Set();

/**
 * The new ones of these findings that will not be open once they follow the decisions on their vulnerabilities and exposed
 * credentials, which takes seconds after an import. Two small reads where nobody decided anything.
 */
export async function decidedOnes({ connections, table }: Place, rows: readonly FindingRow[]): Promise<Set<string>> {
  const asked = rows.filter(({ follows }) => !follows);
  if (asked.length === 0) return new Set();
  const [{ decided = 0 }, { decided: secrets = 0 }] = await Promise.all([
    table.facets(vulnerabilities, true),
    table.facets(exposedCredentials, true),
  ]);
  if (decided === 0 && secrets === 0) return new Set();
  const ordinals = asked.map(({ id }) => ordinalOf(id));
  const [whole, sla] = await Promise.all([
    wholeRecordsAt(table, findings, { ordinals, consistent: true }),
    readSla(table),
  ]);
  // CVEs have no other name
  const cveOf = whole.some(({ cves }) => cves.length === 0) ? await readAliases(connections) : undefined;
  const keys = new Map(whole.map((one) => [one.id, vulnerabilitiesOf(one, cveOf).map(({ key }) => key)]));
  const standing = await readTargets(table, { target: vulnerabilities, field: 'key' }, [
    ...new Set([...keys.values()].flat()),
  ]);
  const credentials = await credentialsOf(table, whole);
  const isDecided = (finding: (typeof whole)[number]): boolean => {
    const of = keys.get(finding.id) ?? [];
    const named = of.flatMap((key) => standing.get(key) ?? []);
    const all = [...named, ...decidedSecret(finding, credentials)];
    if (all.length === 0 || named.length < of.length) return false;
    const { status = finding.status } = followingChanges(finding, all, { at: now(), sla, rules: NO_RULES }) ?? {};
    return !isOpen(status);
  };
  return new Set(whole.filter(isDecided).map(({ id }) => id));
}
