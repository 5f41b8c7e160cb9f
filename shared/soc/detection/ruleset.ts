import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { keptByOrganization } from '#shared/platform/runtime/kept-by-organization.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { setIn } from '#shared/platform/runtime/set-in.ts';
import { ordinalsOf, recordsAt, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { SiemEvent } from '../siem/event.ts';
import { isOfCategory } from '../siem/windows-log.ts';
import { compileRule, type Fits } from '../sigma/compile.ts';
import type { EventTexts } from '../sigma/event.ts';
import { readSigma } from '../sigma/read.ts';
import { SigmaError } from '../sigma/refusal.ts';
import { regexMaker } from '../sigma/regex.ts';
import type { LogSource, SigmaText } from '../sigma/rule.ts';
import { type DetectionRule, detectionRules } from './detection-rule.ts';
import { withoutExceptions } from './exceptions.ts';
import { detectionMarks } from './mark.ts';
import { indexRules } from './rule-index.ts';
import { giveStarterRules, hasStarterRules } from './starter.ts';
import { switchOff } from './switch-off.ts';

/** A rule, ready to be tried on events. */
export type ReadyRule = Pick<
  DetectionRule,
  'id' | 'version' | 'title' | 'description' | 'severity' | 'attackTechniques' | 'effect' | 'exceptions'
> & {
  text: SigmaText;
  /** Approximate bytes of memory. */
  bytes: number;
  parts: readonly { rule: ReadyRule; n: number; logsource: LogSource; fits: Fits }[];
};
export type ReadyPart = ReadyRule['parts'][number];

export type Ruleset = {
  mark: string;
  rules: ReadonlyMap<string, ReadyRule>;
  /** The rules that look at the log source of the event and that it can match. */
  partsFor: (event: EventTexts) => readonly ReadyPart[];
};

/** Without its rules, and of each rule without its expressions. */
const RULESET_BYTES = 2_000;
const RULE_BYTES = 3_000;
const INSTRUCTION_BYTES = 133;

/** A text that was read, as a rule that can be tried. */
export async function readyRule(rule: Omit<ReadyRule, 'parts' | 'bytes'>): Promise<ReadyRule> {
  let instructions = 0;
  const makeRegex = await regexMaker((more) => {
    instructions += more;
  });
  const ready: ReadyRule = { ...rule, parts: [], bytes: 0 };
  const parts = rule.text.rules.map((one, n) => ({
    rule: ready,
    n,
    logsource: one.logsource,
    fits: withoutExceptions(compileRule(one, makeRegex), rule.exceptions ?? [], makeRegex),
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
  return known.put(table, { mark, ...rulesetOf(await readyRules(table, current)) });
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
  return ready;
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

/** Log sources that are kept with their rules. An event may name any. */
const MAX_SOURCES = 2_000;

/** Rules by log source and by the texts that an event must have, so that an event meets few of thousands. */
export function rulesetOf(rules: readonly ReadyRule[]): Omit<Ruleset, 'mark'> {
  const filters = rules.filter(({ text }) => text.filters !== null);
  const parts = rules
    .filter(({ text }) => text.filters === null)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((rule) => rule.parts.map((part) => filtered(part, filters)));
  const { always, rulesIn } = indexRules(parts.flatMap(({ rule, n }) => rule.text.rules[n] ?? []));
  const looking = (numbers: Iterable<number>, event: SiemEvent): number[] =>
    [...numbers].filter((n) => parts[n] && looksAt(parts[n].logsource, event));
  const bySource = new Map<string, readonly number[]>();
  const alwaysFor = (event: SiemEvent): readonly number[] => {
    const key = `${event.category}\n${event.product}\n${event.service}`;
    if (bySource.size >= MAX_SOURCES && !bySource.has(key)) bySource.clear();
    return setIn(bySource, key, () => looking(always, event));
  };
  return {
    rules: new Map(rules.map((rule) => [rule.id, rule])),
    partsFor(texts) {
      const numbers = [...alwaysFor(texts.event), ...looking(rulesIn(texts), texts.event)];
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
function isFiltered({ rule, n, logsource }: ReadyPart, { text, parts }: ReadyRule): boolean {
  const [wanted] = parts;
  const { id, name } = rule.text.rules[n] ?? {};
  const isNamed = text.filters === 'any' || text.filters?.some((one) => [id, name, rule.id].includes(one));
  const isOfSource = (['category', 'product', 'service'] as const).every(
    (each) => !wanted?.logsource[each] || wanted.logsource[each] === logsource[each],
  );
  return isNamed === true && isOfSource;
}

export const looksAt = (wanted: LogSource, event: Pick<SiemEvent, keyof LogSource>): boolean =>
  (wanted.category === null || isOfCategory(event.category, wanted.category)) &&
  (['product', 'service'] as const).every(
    (name) => wanted[name] === null || wanted[name] === event[name]?.toLowerCase(),
  );
