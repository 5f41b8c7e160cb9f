import { type AssetIdentity, assetKey } from '#shared/assets/asset/asset.ts';
import { type KnownAssets, learnKnownAssets } from '#shared/assets/asset/known-assets.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import type { StatedRow } from '#shared/findings/suppression/stated-document.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Accepted } from '../phases.ts';
import { decideStated, released, type Stated } from './decide.ts';
import { statementsOf } from './document.ts';
import { prepared, type Statements, verdictOn } from './verdict.ts';

/** A document with those of its statements that may name the findings of a report. */
type Later = { document: StatedRow; statements: Statements };

type Subject = Pick<StoredFinding, 'asset' | 'component' | 'cves' | 'ruleId'> & Parameters<typeof decideStated>[1];

/** The decision of the kept documents on a reported finding: the newest document that names the finding decides. */
export type Settle = (finding: Subject) => Stated | undefined;

/** @param reported the findings on which documents may decide */
export async function settleLater(
  { table, learned }: Accepted,
  reported: readonly Pick<StoredFinding, 'cves' | 'ruleId'>[],
): Promise<Settle> {
  const documents = reported.length > 0 ? await learned.documents() : [];
  if (documents.length === 0) return () => undefined;
  const names = new Set(reported.flatMap(({ cves, ruleId }) => [ruleId, ...cves]).map((name) => name.toUpperCase()));
  const keys = documents.flatMap(({ target }) => (target ? assetKey(target) : []));
  await learnKnownAssets(table, learned.assets, keys, true);
  const later: Later[] = [];
  for (const document of documents) {
    const statements = (await statementsOf(document)).filter(({ vulnerabilities }) =>
      vulnerabilities.some((name) => names.has(name.toUpperCase())),
    );
    if (statements.length > 0) later.push({ document, statements: prepared(statements) });
  }
  return (finding) => settledBy(later, finding, learned.assets);
}

function settledBy(later: readonly Later[], finding: Subject, known: KnownAssets): Stated | undefined {
  for (const { document, statements } of later) {
    const { target } = document;
    const isTarget = target !== undefined && isOn(target, finding, known);
    const verdict = target && !isTarget ? undefined : verdictOn(statements, finding, isTarget);
    const stated = verdict && decideStated(document, finding, { verdict, at: now() });
    if (stated) return stated;
  }
  return undefined;
}

const isOn = (target: AssetIdentity, { asset }: Subject, known: KnownAssets): boolean =>
  known.get(assetKey(target))?.id === asset.id;

/**
 * The changes of a finding that was seen again, with its status. A document decides again on a component with another
 * version: its statement may name only the former version.
 */
export function afterUpgrade(
  current: StoredFinding,
  changes: Partial<StoredFinding> | undefined,
  { settle, at }: { settle: Settle; at: string },
): Partial<StoredFinding> | undefined {
  const { suppressedBy: held, component } = current;
  if (!held?.document || !changes?.component || changes.component.version === component?.version) return changes;
  const stated = settle({ ...current, ...changes });
  if (stated?.outcome === 'settled') return { ...changes, ...stated.changes };
  const reason = `${held.name} says nothing about the version ${changes.component.version ?? 'that is there now'}.`;
  return { ...changes, ...released(current, held, { at, reason }) };
}
