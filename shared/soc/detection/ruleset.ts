import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { keptByOrganization } from '#shared/platform/runtime/kept-by-organization.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { setIn } from '#shared/platform/runtime/set-in.ts';
import { ordinalsOf, recordsAt, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { SiemEvent } from '../siem/event.ts';
import { isOfCategory } from '../siem/windows-log.ts';
import { compileRule } from '../sigma/compile.ts';
import type { EventTexts } from '../sigma/event.ts';
import { readSigma } from '../sigma/read.ts';
import { SigmaError } from '../sigma/refusal.ts';
import { regexMaker } from '../sigma/regex.ts';
import type { LogSource } from '../sigma/rule.ts';
import { type Chains, chainsOf, testsOf } from './chains.ts';
import { type DetectionRule, detectionRules } from './detection-rule.ts';
import { leavingOut } from './exceptions.ts';
import { detectionMarks } from './mark.ts';
import type { ReadyPart, ReadyRule } from './ready-rule.ts';
import { indexRules } from './rule-index.ts';
import { giveStarterRules, hasStarterRules } from './starter.ts';
import { switchOff } from './switch-off.ts';

export type Ruleset = {
  mark: string;
  rules: ReadonlyMap<string, ReadyRule>;
  chains: Chains;
  /** The rules that look at the log source of the event and that it can match. */
  partsFor: (event: EventTexts) => readonly ReadyPart[];
};

/** Without its rules, and of each rule without its expressions. */
const RULESET_BYTES = 2_000;
const RULE_BYTES = 3_000;
const INSTRUCTION_BYTES = 133;

/** A text that was read, as a rule that can be tried. */
export async function readyRule(rule: Omit<ReadyRule, 'parts' | 'bytes' | 'leaveOut'>): Promise<ReadyRule> {
  let instructions = 0;
  const makeRegex = await regexMaker((more) => {
    instructions += more;
  });
  const leaveOut = leavingOut(rule.exceptions ?? [], makeRegex);
  const ready: ReadyRule = { ...rule, parts: [], bytes: 0, leaveOut };
  const parts = rule.text.rules.map((sigma, n) => ({
    rule: ready,
    n,
    sigma,
    fits: leaveOut(compileRule(sigma, makeRegex)),
  }));
  const texts =
    2 * JSON.stringify([rule.text, rule.exceptions], (_, value) => (value instanceof Map ? [...value] : value)).length;
  return Object.assign(ready, { parts, bytes: RULE_BYTES + texts + INSTRUCTION_BYTES * instructions });
}

/**
 * The memory of a process for rules, in bytes: enough for all rules of SigmaHQ twice. The rules of one organization stay, however large:
 * their texts have a limit.
 */
const MAX_KEPT = 64 * 1024 * 1024;
const known = keptByOrganization<Ruleset>(MAX_KEPT, ({ rules }) =>
  [...rules.values()].reduce((sum, { bytes }) => sum + bytes, RULESET_BYTES),
);

/** A rule with its text, which need not be stored. */
type Written = Omit<ReadyRule, 'text' | 'bytes' | 'parts' | 'leaveOut'> & Pick<DetectionRule, 'content'>;

/** A rule, ready to be tried, and the stored rules that it counts, by their ids. */
export async function readyRulesWith(table: Table, record: Written): Promise<Map<string, ReadyRule>> {
  const ready = new Map<string, ReadyRule>();
  for (const left: Written[] = [record]; left.length > 0; ) {
    const next = left.pop();
    if (!next || ready.has(next.id)) continue;
    ready.set(next.id, await readyRule({ ...next, text: await readSigma(next.content) }));
    for (const id of next.counts ?? []) left.push(await table.get(detectionRules, id));
  }
  return ready;
}

/** The current enabled rules; read again only when a rule changed, and each version is compiled once. */
export async function readRuleset(table: Table): Promise<Ruleset> {
  const marks = await table.rows(detectionMarks).find({}, true);
  if (!hasStarterRules(marks)) {
    await giveStarterRules(table);
    return readRuleset(table);
  }
  const { mark } = marks;
  const current = known.get(table);
  if (current?.mark === mark) return current;
  return known.put(table, { mark, ...rulesetOf(await readyRules(table, current), indexRules) });
}

/** Texts are read of changed rules only: an organization may have thousands. */
async function readyRules(table: Table, current: Ruleset | undefined): Promise<ReadyRule[]> {
  const ordinals = await ordinalsOf(table, detectionRules, { where: { enabled: 'true' } });
  const items = current ? await recordsAt(table, detectionRules, ordinals) : [];
  const known = items.flatMap(({ id, version }) => {
    const before = current?.rules.get(id);
    return before?.version === version ? before : [];
  });
  const isKnown = new Set(known.map(({ id }) => ordinalOf(id)));
  const changed = { ordinals: ordinals.filter((ordinal) => !isKnown.has(ordinal)), consistent: true };
  const records = await wholeRecordsAt(table, detectionRules, changed);
  const ready = [...known];
  for (const record of records) {
    const rule = await compiled(table, record);
    if (rule) ready.push(rule);
  }
  return withoutBroken(table, ready);
}

/** All stored rules, also those that are off, without filters that are off. `isOn`: whether a rule is on. */
export async function everyRule(table: Table) {
  const ordinals = await ordinalsOf(table, detectionRules, {});
  const records = await wholeRecordsAt(table, detectionRules, { ordinals, consistent: true });
  const ready: ReadyRule[] = [];
  for (const record of records) {
    const rule = await compiled(table, record);
    if (rule && (record.enabled || rule.text.filters === null)) ready.push(rule);
  }
  const on = new Set(records.filter(({ enabled }) => enabled).map(({ id }) => id));
  return { ...rulesetOf(ready, indexRules), isOn: ({ id }: Pick<ReadyRule, 'id'>): boolean => on.has(id) };
}

/** A correlation that counts a rule which is off could not fire: it is switched off, too, and says so. */
async function withoutBroken(table: Table, ready: readonly ReadyRule[]): Promise<ReadyRule[]> {
  const ids = new Set(ready.map(({ id }) => id));
  const { whole = [], broken = [] } = Object.groupBy(ready, ({ counts }) =>
    counts?.every((id) => ids.has(id)) === false ? 'broken' : 'whole',
  );
  if (broken.length === 0) return whole;
  for (const rule of broken) {
    const counted = await Promise.all((rule.counts ?? []).map((id) => table.find(detectionRules, id, true)));
    // a rule that was turned on in this moment is in the next ruleset
    const off = counted.filter((one) => one?.enabled !== true).map((one) => one?.title ?? 'a rule that is gone');
    if (off.length > 0) await switchOff(table, rule, `The rule counts others that are off: ${off.join(', ')}.`);
  }
  return withoutBroken(table, whole);
}

/** A rule that an earlier release took and this one refuses is switched off: it must not stop the others. */
async function compiled(table: Table, record: DetectionRule): Promise<ReadyRule | undefined> {
  try {
    return await readyRule({ ...record, text: await readSigma(record.content) });
  } catch (error) {
    log.error('a detection rule cannot be evaluated', { ruleId: record.id, error: error as Error });
    if (error instanceof SigmaError) await switchOff(table, record, `This release refuses the rule: ${error.message}`);
    return undefined;
  }
}

/** Of a log source: whether a rule looks at it, by its number; the rules that are tried on each event; whether some have texts that may be anywhere. */
type OfSource = { looks: Uint8Array; always: readonly number[]; isAnywhere: boolean };

/** Log sources that are kept with their rules. An event may name any. */
const MAX_SOURCES = 500;

/** Where few rules are tried once, an index of their texts costs more than it saves. */
const withoutIndex: typeof indexRules = (rules) => ({
  always: new Set(rules.keys()),
  anywhere: new Set(),
  rulesIn: () => [],
});

/** Rules by log source and, in an index, by the texts that an event must have, so that an event meets few of thousands. */
export function rulesetOf(rules: readonly ReadyRule[], index = withoutIndex): Omit<Ruleset, 'mark'> {
  const filters = rules.filter(({ text }) => text.filters !== null);
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const tested = new Map(rules.map((rule) => [rule, rule.parts.map((part) => filtered(part, filters))]));
  const parts = rules
    .filter(({ text }) => text.filters === null)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((rule) => testsOf(rule, byId, { partsOf: (one) => tested.get(one) ?? [] }));
  const { always, anywhere, rulesIn } = index(parts.map(({ sigma }) => sigma));
  const bySource = new Map<string, OfSource>();
  const newSource = (event: SiemEvent): OfSource => {
    const looks = Uint8Array.from(parts, ({ sigma }) => (looksAt(sigma.logsource, event) ? 1 : 0));
    return {
      looks,
      always: [...always].filter((n) => looks[n] === 1),
      isAnywhere: anywhere.values().some((n) => looks[n] === 1),
    };
  };
  const ofSource = (event: SiemEvent): OfSource => {
    const key = `${event.category}\n${event.product}\n${event.service}`;
    if (bySource.size >= MAX_SOURCES && !bySource.has(key)) bySource.clear();
    return setIn(bySource, key, () => newSource(event));
  };
  return {
    rules: byId,
    chains: chainsOf(byId),
    partsFor(texts) {
      const { looks, always, isAnywhere } = ofSource(texts.event);
      const found = rulesIn(texts, isAnywhere).filter((n) => looks[n] === 1);
      // a rule for some of whose texts there was no room is tried on each event, and its other texts are in the index
      const numbers = always.length === 0 ? found : [...new Set([...always, ...found])];
      return numbers.sort((one, other) => one - other).flatMap((n) => parts[n] ?? []);
    },
  };
}

/** A rule with the conditions of its filters, whose steps it takes. */
function filtered(part: ReadyPart, filters: readonly ReadyRule[]): ReadyPart {
  const own = filters.flatMap((filter) => (isFiltered(part, filter) ? filter.parts : []));
  return own.length === 0
    ? part
    : { ...part, fits: (event, steps) => [part, ...own].every(({ fits }) => fits(event, steps)) };
}

/** Whether a filter names a rule, whose log source must be one of those of the filter. */
function isFiltered({ rule, sigma }: ReadyPart, { text, parts }: ReadyRule): boolean {
  const [wanted] = parts;
  const isNamed = text.filters === 'any' || text.filters?.some((one) => [sigma.id, sigma.name, rule.id].includes(one));
  const isOfSource = (['category', 'product', 'service'] as const).every(
    (each) => !wanted?.sigma.logsource[each] || wanted.sigma.logsource[each] === sigma.logsource[each],
  );
  return isNamed === true && isOfSource;
}

export const looksAt = (wanted: LogSource, event: Pick<SiemEvent, keyof LogSource>): boolean =>
  (wanted.category === null || isOfCategory(event.category, wanted.category)) &&
  (['product', 'service'] as const).every(
    (name) => wanted[name] === null || wanted[name] === event[name]?.toLowerCase(),
  );
