import { type Test, testOf } from '../conditions/evaluate.ts';
import type { Asset, assets } from '../entities/asset.ts';
import { assetTagRules } from '../entities/asset-tag-rule.ts';
import type { Condition } from '../entities/condition.ts';
import { Overtaken } from '../runtime/errors.ts';
import { newId } from '../runtime/ids.ts';
import type { ListItem } from '../table/entity.ts';
import type { Write } from '../table/io/commit.ts';
import { condition, defineRow, putWrite, rowKey } from '../table/io/row.ts';
import { ordinalsOf, recordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';

/** An asset without its long fields, for which no rule asks. */
export type ListAsset = ListItem<Asset, (typeof assets.detail)[number]>;

/** Made anew with each change of a rule, so that nobody writes to an asset what former rules say. */
type RulesMark = { mark: string };

const rulesMarks = defineRow<RulesMark, object>({
  name: 'asset-rules',
  about: 'a mark that changes with the rules about assets; absent: the organization never had one',
  key: () => ['all'],
});

/** For the transaction that makes, changes or removes a rule. */
export const rulesChanged = ({ scope }: Table): Write => putWrite(scope, rulesMarks, { row: { mark: newId() } });

/** A rule that is enabled, ready to be tried on assets. */
type ReadyTagRule = { id: string; asksBranch: boolean; test: Test; tags: readonly string[] };

/** All rules about assets, in the order in which they decide. */
export type Ruleset = {
  mark: string | undefined;
  tagRules: readonly ReadyTagRule[];
  /** Whether a rule asks for the branches of repositories. */
  asksBranches: boolean;
};

const known = new WeakMap<Table, Ruleset>();

/** The rules as they stand; read again only when they changed. */
export async function readRuleset(table: Table): Promise<Ruleset> {
  const { mark } = (await table.rows(rulesMarks).find({}, true)) ?? {};
  const cached = known.get(table);
  if (cached && cached.mark === mark) return cached;
  // read after the mark, rules are no older than it: whoever checks the mark follows no former rule
  const tagRules = mark === undefined ? [] : await readTagRules(table);
  const ruleset = { mark, tagRules, asksBranches: tagRules.some(({ asksBranch }) => asksBranch) };
  known.set(table, ruleset);
  return ruleset;
}

async function readTagRules(table: Table): Promise<ReadyTagRule[]> {
  const rules = await recordsAt(table, assetTagRules, await ordinalsOf(table, assetTagRules, {}));
  const enabled = rules.filter((rule) => rule.enabled).sort((a, b) => (a.id < b.id ? -1 : 1));
  return enabled.map(({ tags, ...rule }) => ({ ...ready(rule), tags }));
}

const ready = ({ id, condition }: { id: string; condition: Condition }) => ({
  id,
  asksBranch: JSON.stringify(condition).includes('"field":"branch"'),
  test: testOf(condition),
});

/** Holds while the rules are as they were read. */
export const sameRules = ({ scope }: Table, { mark }: Ruleset): Write => ({
  check: rowKey(scope, rulesMarks, {}),
  condition: mark === undefined ? { ConditionExpression: 'attribute_not_exists(pk)' } : condition({ mark }),
  fail: () => new Overtaken(),
});
