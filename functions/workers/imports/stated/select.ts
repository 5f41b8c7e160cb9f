import { assetKey } from '#shared/assets/asset/asset.ts';
import { learnKnownAssets } from '#shared/assets/asset/known-assets.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import type { StatedRow } from '#shared/findings/suppression/stated-document.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import type { Read } from '../phases.ts';
import type { Statements } from './verdict.ts';

/** The collections whose findings documents decide on. */
export const STATED_COLLECTIONS = [findings, branchFindings];

/** A document and the findings that it may name. */
export type Selected = {
  document: StatedRow;
  statements: Statements;
  /** From the highest down: findings that come meanwhile are decided on as they are created. */
  ordinals: number[];
  /** The asset to which the sender restricted the document. */
  targetId: string | undefined;
};

/** The findings that a document may name, and those on which it decided before. */
export async function select(read: Read, document: StatedRow, statements: Statements): Promise<Selected> {
  const { table, learned, submission } = read;
  const key = document.target && assetKey(document.target);
  if (key) await learnKnownAssets(table, learned.assets, [key], true);
  const targetId = key && learned.assets.get(key)?.id;
  const isNowhere = submission.target !== undefined && targetId === undefined;
  const named = isNowhere ? [] : selectionsOf(statements, targetId);
  const ordinals = new Set<number>();
  for (const selection of [{ where: { suppressedBy: document.id } }, ...named])
    for (const entity of STATED_COLLECTIONS)
      for (const ordinal of await ordinalsOf(table, entity, selection)) ordinals.add(ordinal);
  return { document, statements, ordinals: [...ordinals].sort((a, b) => b - a), targetId };
}

/** Of a document with more vulnerabilities than this, all findings of the asset or all open ones are read. */
const MAX_SEARCHED = 2000;
const SEARCHED_TOGETHER = 100;

function selectionsOf(statements: Statements, targetId: string | undefined): Selection[] {
  const on = targetId === undefined ? {} : { asset: [targetId] };
  const names = [...new Set([...statements.values()].flat().flatMap(({ vulnerabilities }) => vulnerabilities))];
  if (names.length > MAX_SEARCHED) return [{ where: targetId === undefined ? { status: OPEN_STATUSES } : on }];
  return chunksOf(names, SEARCHED_TOGETHER).flatMap((some) => [
    { where: { cve: some.map((name) => name.toUpperCase()), ...on } },
    { where: { ruleId: some, ...on } },
  ]);
}
