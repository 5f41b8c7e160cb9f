import type * as z from 'zod';
import { csvHead, csvRow } from '#shared/platform/exports/csv-row.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { keptByOrganization } from '#shared/platform/runtime/kept-by-organization.ts';
import { inTurns } from '#shared/platform/runtime/turns.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { newBudget } from '#shared/soc/detection/budget.ts';
import { detectionMarks } from '#shared/soc/detection/mark.ts';
import { everyRule, readRuleset } from '#shared/soc/detection/ruleset.ts';
import type { EventsExport, RuleMatches } from '#shared/soc/hunting/export.ts';
import type { Question } from '#shared/soc/hunting/read-newest.ts';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import { eventTexts } from '#shared/soc/sigma/event.ts';
import { nextEvents } from './event-pages.ts';
import type { Place, Source } from './file.ts';

/** Rules that the result of the task shows. */
const SHOWN = 100;
const COLUMNS = ['ruleId', 'sigmaId', 'title', 'enabled', 'matches'] as const satisfies (keyof RuleMatches)[];

type Asked = Required<Pick<z.infer<typeof EventsExport>, 'rules' | 'format'>> & Question;
type Tried = { isTried: (ruleId: string) => boolean; lines: readonly Omit<RuleMatches, 'matches'>[] } & Pick<
  Awaited<ReturnType<typeof everyRule>>,
  'partsFor'
>;

/** Stored rules, each with the number of the events of a search that it matches, the most first. */
export function rulesSource(work: Work, { rules: wanted, format, ...question }: Asked): Source {
  let tried: Tried | undefined;
  const countedIn = ({ matches = {} }: Place): RuleMatches[] =>
    (tried?.lines ?? [])
      .map((line) => ({
        ...line,
        matches: matches[keyOf(line.ruleId)] === null ? null : (matches[keyOf(line.ruleId)] ?? 0),
      }))
      .sort(
        (one, other) => (other.matches ?? Infinity) - (one.matches ?? Infinity) || (one.title < other.title ? -1 : 1),
      );
  const textOf = (line: RuleMatches): string =>
    format === 'csv' ? csvRow(COLUMNS.map((column) => line[column])) : `${JSON.stringify(line)}\n`;
  return {
    head: format === 'csv' ? csvHead(COLUMNS) : '',
    followsRules: false,
    async page(place) {
      tried ??= await rulesToTry(work, wanted);
      const { events, ...page } = await nextEvents(work, { question, place });
      await inTurns(countMatches(tried, events, place));
      return { ...page, texts: page.isLast ? countedIn(place).map(textOf) : [] };
    },
    foot: () => '',
    result({ reached, sizeBytes, place }) {
      const lines = countedIn(place);
      const matched = lines.filter(({ matches }) => matches !== 0);
      const rules = { tried: lines.length, matched: matched.length, most: matched.slice(0, SHOWN) };
      return { events: place.entries, looked: reached, newest: [], rules, sizeBytes, format };
    },
  };
}

const keyOf = (ruleId: string): string => ordinalOf(ruleId).toString(36);

type Every = Awaited<ReturnType<typeof everyRule>>;

/** A hunt has many slices: a process compiles all rules once, until one of them changes. */
const compiled = keptByOrganization<Every & { mark: string | undefined }>(1);

async function everyRuleOf(table: Table): Promise<Every> {
  const mark = (await table.rows(detectionMarks).find({}, true))?.mark;
  const current = compiled.get(table);
  return current?.mark === mark && current ? current : compiled.put(table, { mark, ...(await everyRule(table)) });
}

/** The rules that are on are those of the detection. */
const rulesOf = async (table: Table, wanted: Asked['rules']): Promise<Pick<Every, 'rules' | 'partsFor' | 'isOn'>> =>
  wanted === 'on' ? { ...(await readRuleset(table)), isOn: () => true } : everyRuleOf(table);

async function rulesToTry({ table }: Work, wanted: Asked['rules']): Promise<Tried> {
  const { rules, partsFor, isOn } = await rulesOf(table, wanted);
  const some = [...rules.values()].filter(
    (rule) => rule.text.filters === null && (wanted === 'all' || isOn(rule) === (wanted === 'on')),
  );
  const ids = new Set(some.map(({ id }) => id));
  const lines = some.map((rule) => ({
    ruleId: rule.id,
    sigmaId: rule.text.meta.id,
    title: rule.title,
    enabled: isOn(rule),
  }));
  return { partsFor, isTried: (ruleId) => ids.has(ruleId), lines };
}

/** Adds the matches to those of the place. A rule over its budget, which is that of a batch of these events, has none. */
function* countMatches(
  { partsFor, isTried }: Tried,
  events: readonly SiemEvent[],
  place: Place,
): Generator<void, void> {
  const matches = { ...place.matches };
  const budget = newBudget(events);
  for (const event of events) {
    const texts = eventTexts(event);
    const fitting = partsFor(texts).filter((part) => isTried(part.rule.id) && budget.fits(part, texts));
    for (const id of new Set(fitting.map(({ rule }) => rule.id))) {
      const before = matches[keyOf(id)];
      if (before !== null) matches[keyOf(id)] = (before ?? 0) + 1;
    }
    if (fitting.length > 0) place.entries += 1;
    yield;
  }
  for (const { id } of budget.over.keys()) matches[keyOf(id)] = null;
  place.matches = matches;
}
