import { AssetIdentifiers } from '#shared/assets/asset/asset-facts.ts';
import { knownTexts } from '#shared/reports/readers/text.ts';
import type { LinkedAgent } from '#shared/scanning/agents/agent.ts';

type Host = Pick<LinkedAgent, 'hostname' | 'addresses' | 'macs' | 'machineId' | 'cloud'>;

const LISTS = ['ips', 'macs', 'hostnames', 'fqdns', 'machineIds'] as const;
const MAX_IDENTIFIERS = 20;

/**
 * The identifiers of an agent's host: the agent's current identifiers replace its former ones, so that a laptop has no
 * address of yesterday. Identifiers from other tools stay.
 */
export function hostIdentifiers(
  known = AssetIdentifiers.parse({}),
  { before, after }: { before: Host; after: Host },
): AssetIdentifiers {
  const [former, now] = [namedBy(before), namedBy(after)];
  const lists = LISTS.map((list) => {
    const others = known[list].filter((text) => !former[list].includes(text));
    return [list, [...new Set([...now[list], ...others])].slice(0, MAX_IDENTIFIERS).sort()];
  });
  return { ...known, ...Object.fromEntries(lists), cloudResourceId: known.cloudResourceId ?? now.cloudResourceId };
}

function namedBy({ hostname, addresses, macs, machineId, cloud }: Host) {
  const name = knownTexts(hostname ?? undefined).map((text) => text.toLowerCase().replace(/\.$/, ''));
  return {
    ips: knownTexts(...addresses).slice(0, MAX_IDENTIFIERS),
    macs: knownTexts(...macs).slice(0, MAX_IDENTIFIERS),
    hostnames: name.filter((text) => !text.includes('.')),
    fqdns: name.filter((text) => text.includes('.')),
    machineIds: knownTexts(machineId ?? undefined),
    cloudResourceId: cloud?.instanceId ?? null,
  };
}
