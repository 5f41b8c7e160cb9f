import type { Asset, assets } from '#shared/assets/asset/asset.ts';
import type { Compiled } from '#shared/platform/filter/compile.ts';
import type { AssetCondition } from '#shared/platform/filter/schema.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { keptByOrganization } from '#shared/platform/runtime/kept-by-organization.ts';
import type { Entity, ListItem, Stored } from '#shared/platform/table/entity.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { condition, rowKey } from '#shared/platform/table/io/row.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import { type Table, withoutPart } from '#shared/platform/table/table.ts';
import { applications } from '../applications/application.ts';
import { applicationExclusions } from './application-exclusion.ts';
import { applicationRules } from './application-rule.ts';
import { assetTagRules } from './asset-tag-rule.ts';
import { conditionCompiler } from './condition.ts';
import { type RuleDraft, withDrafts } from './draft.ts';
import { rulesMarks } from './mark.ts';

/** An asset without its long fields, which no rule uses. */
export type ListAsset = ListItem<Asset, (typeof assets.detail)[number]>;

/** A rule that is enabled, ready to be tried on assets. */
type ReadyRule = { id: string; asksBranch: boolean; test: Compiled['test'] };
type ReadyTagRule = ReadyRule & { tags: readonly string[] };
type ReadyExclusion = ReadyRule & { applicationId: string };
type ReadyApplicationRule = ReadyExclusion & { environmentId: string | null };

/** All rules about assets, in the order in which they decide. */
export type Ruleset = {
  mark: string | undefined;
  tagRules: readonly ReadyTagRule[];
  /** Those that have a condition. */
  exclusions: readonly ReadyExclusion[];
  applicationRules: readonly ReadyApplicationRule[];
  /** The applications, each with its environments. */
  applications: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether a rule uses the branches of repositories. */
  asksBranches: boolean;
};

/** The most organizations whose rules a process remembers. */
const MAX_KEPT = 200;
const known = keptByOrganization<Ruleset>(MAX_KEPT);

/** The current rules; read again only when they changed. */
export async function readRuleset(table: Table): Promise<Ruleset> {
  const { mark } = (await table.rows(rulesMarks).find({}, true)) ?? {};
  if (mark === undefined) return NO_RULES;
  const current = known.get(table);
  if (current?.mark === mark) return current;
  // rules that are read after the mark are no older than the mark: nobody who checks the mark follows former rules
  return known.put(table, { mark, ...(await readRules(withoutPart(table))) });
}

const NO_RULES: Ruleset = {
  mark: undefined,
  asksBranches: false,
  applications: new Map(),
  tagRules: [],
  exclusions: [],
  applicationRules: [],
};

/** The rules as changes would leave them. */
export const draftRuleset = async (table: Table, drafts: readonly RuleDraft[]): Promise<Ruleset> => ({
  mark: undefined,
  ...(await readRules(table, drafts)),
});

async function readRules(table: Table, drafts: readonly RuleDraft[] = []): Promise<Omit<Ruleset, 'mark'>> {
  const read = async <T extends Stored>(entity: Entity<T>, selection?: Selection) =>
    withDrafts(entity, await allOf(table, entity, selection), drafts);
  const [current, tagging, linking, excluding] = await Promise.all([
    read(applications),
    read(assetTagRules),
    read(applicationRules),
    read(applicationExclusions, { where: { kind: 'condition' } }),
  ]);
  const isAlive = ({ applicationId }: { applicationId: string }) => current.some(({ id }) => id === applicationId);
  const compile = await conditionCompiler();
  const ready = <R extends { condition: AssetCondition }>(rule: R) => {
    const { test, asks } = compile(rule.condition);
    return { ...rule, asksBranch: asks.includes('branch'), test };
  };
  const tagRules = tagging.filter(({ enabled }) => enabled).map(ready);
  const rules = linking.filter((rule) => rule.enabled && isAlive(rule)).map(ready);
  const exclusions = excluding
    .filter(isAlive)
    .flatMap(({ condition, ...exclusion }) => (condition ? ready({ ...exclusion, condition }) : []));
  return {
    tagRules,
    exclusions,
    applicationRules: rules,
    applications: new Map(current.map(({ id, environments }) => [id, new Set(environments.map((one) => one.id))])),
    asksBranches: [...tagRules, ...rules, ...exclusions].some(({ asksBranch }) => asksBranch),
  };
}

/** The oldest first. */
async function allOf<T extends Stored>(table: Table, entity: Entity<T>, selection: Selection = {}): Promise<T[]> {
  const records = await recordsOf(table, entity, selection);
  return records.sort((a, b) => (a.id < b.id ? -1 : 1)) as T[];
}

/** Holds while the rules are as they were read. */
export const sameRules = ({ tenant }: Table, { mark }: Ruleset): Write => ({
  check: rowKey(tenant, rulesMarks, {}),
  condition: mark === undefined ? { ConditionExpression: 'attribute_not_exists(pk)' } : condition({ mark }),
  fail: () => new Overtaken(),
});
