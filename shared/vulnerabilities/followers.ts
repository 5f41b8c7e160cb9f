import { findings } from '../entities/finding.ts';
import type { StoredVulnerability } from '../entities/vulnerability.ts';
import { chunksOf } from '../runtime/chunks.ts';
import type { Selection } from '../table/list.ts';
import { ordinalsOf } from '../table/selected.ts';
import type { Table } from '../table/table.ts';

type Named = Pick<StoredVulnerability, 'asset' | 'advisoryId' | 'ruleIds'>;

/** By which values of the index the findings of a vulnerability are found: some of those may be about another component. */
export function indexedNames({ advisoryId, ruleIds }: Omit<Named, 'asset'>): {
  cve?: string;
  ruleId?: readonly string[];
} {
  return { ...(advisoryId.startsWith('CVE-') && { cve: advisoryId }), ...(ruleIds && { ruleId: ruleIds }) };
}

/** The findings that may name one of these vulnerabilities, newest first. */
export async function findingsNaming(table: Table, all: readonly Named[]): Promise<number[]> {
  const found = new Set<number>();
  for (const selection of selectionsOf(all))
    for (const ordinal of await ordinalsOf(table, findings, selection)) found.add(ordinal);
  return [...found].sort((a, b) => b - a);
}

type Pair = { asset: string; name: 'cve' | 'ruleId'; value: string };

const ASKED_AT_ONCE = 100;

/** One question for each asset or each advisory, whichever are fewer. */
function selectionsOf(all: readonly Named[]): Selection[] {
  const pairs = all.flatMap(({ asset, ...named }) =>
    Object.entries(indexedNames(named)).flatMap(([name, values]) =>
      [values].flat().map((value): Pair => ({ asset: asset.id, name: name as Pair['name'], value })),
    ),
  );
  return (['cve', 'ruleId'] as const).flatMap((name): Selection[] => {
    const of = pairs.filter((pair) => pair.name === name);
    const byAsset = Map.groupBy(of, ({ asset }) => asset);
    const byValue = Map.groupBy(of, ({ value }) => value);
    return byAsset.size <= byValue.size
      ? [...byAsset].flatMap(([asset, some]) =>
          asked(some, 'value').map((values) => ({ where: { asset, [name]: values } })),
        )
      : [...byValue].flatMap(([value, some]) =>
          asked(some, 'asset').map((asset) => ({ where: { asset, [name]: value } })),
        );
  });
}

const asked = (pairs: readonly Pair[], field: 'asset' | 'value'): string[][] =>
  [...chunksOf([...new Set(pairs.map((pair) => pair[field]))], ASKED_AT_ONCE)].map((some) => [...some]);
