import { keptByOrganization } from '#shared/platform/runtime/kept-by-organization.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { SiemEvent } from '../siem/event.ts';
import { isOfCategory } from '../siem/windows-log.ts';
import { compileRule, type Fits } from '../sigma/compile.ts';
import { readSigma } from '../sigma/read.ts';
import { SigmaError } from '../sigma/refusal.ts';
import { regexMaker } from '../sigma/regex.ts';
import type { LogSource, SigmaText } from '../sigma/rule.ts';
import { type DetectionRule, detectionRules } from './detection-rule.ts';
import { detectionMarks } from './mark.ts';
import { giveStarterRules, hasStarterRules } from './starter.ts';
import { switchOff } from './switch-off.ts';

/** A rule, ready to be tried on events. */
export type ReadyRule = Pick<
  DetectionRule,
  'id' | 'version' | 'title' | 'description' | 'severity' | 'attackTechniques'
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
  /** The rules whose log source matches the event. */
  partsFor: (event: SiemEvent) => readonly ReadyPart[];
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
    fits: compileRule(one, makeRegex),
  }));
  const texts = 2 * JSON.stringify(rule.text).length;
  return Object.assign(ready, { parts, bytes: RULE_BYTES + texts + INSTRUCTION_BYTES * instructions });
}

/**
 * The memory of a process for rules, in bytes: enough for about 40 organizations with 300 rules each, or for one with
 * the largest rules.
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

async function readyRules(table: Table, current: Ruleset | undefined): Promise<ReadyRule[]> {
  const ordinals = await ordinalsOf(table, detectionRules, { where: { enabled: 'true' } });
  const records = await wholeRecordsAt(table, detectionRules, { ordinals, consistent: true });
  const ready: ReadyRule[] = [];
  for (const record of records) {
    const before = current?.rules.get(record.id);
    const rule = before?.version === record.version ? before : await compiled(table, record);
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

/** Rules by log source, so that an event meets only its own rules. */
export function rulesetOf(rules: readonly ReadyRule[]): Omit<Ruleset, 'mark'> {
  const parts = rules.toSorted((a, b) => (a.id < b.id ? -1 : 1)).flatMap((rule) => rule.parts);
  const bySource = new Map<string, readonly ReadyPart[]>();
  return {
    rules: new Map(rules.map((rule) => [rule.id, rule])),
    partsFor(event) {
      const key = `${event.category}\n${event.product}\n${event.service}`;
      const found = bySource.get(key);
      if (found) return found;
      if (bySource.size >= MAX_SOURCES) bySource.clear();
      const looking = parts.filter(({ logsource }) => looksAt(logsource, event));
      bySource.set(key, looking);
      return looking;
    },
  };
}

export const looksAt = (wanted: LogSource, event: Pick<SiemEvent, keyof LogSource>): boolean =>
  (wanted.category === null || isOfCategory(event.category, wanted.category)) &&
  (['product', 'service'] as const).every(
    (name) => wanted[name] === null || wanted[name] === event[name]?.toLowerCase(),
  );
