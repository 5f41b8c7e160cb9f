import { conflict } from '#shared/platform/runtime/errors.ts';
import type { ListItem } from '#shared/platform/table/entity.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { readSigma } from '../sigma/read.ts';
import { refuse } from '../sigma/refusal.ts';
import type { Correlation, SigmaText } from '../sigma/rule.ts';
import { type DetectionRule, detectionRules } from './detection-rule.ts';

/** Correlations over correlations over rules: each level is counted behind the one below it. */
export const MAX_LEVELS = 5;
const PATH = 'correlation.rules';

/** The rule that has the text; no id before it is stored. */
type Own = { id?: string; enabled: boolean };

/**
 * The stored rules that the correlation of a text names, as ids in the order of its references.
 * @throws SigmaError for a rule that is not there, is off, or cannot be counted so
 */
export async function referencesOf(table: Table, text: SigmaText, own: Own): Promise<string[]> {
  const { correlation } = text;
  if (!correlation) return [];
  const counted: DetectionRule[] = [];
  for (const name of correlation.references) counted.push(await ruleNamed(table, name, own));
  await assertNoCircle(table, counted, own);
  const texts = await Promise.all(counted.map(({ content }) => readSigma(content)));
  for (const [k, inner] of texts.entries())
    if (inner.correlation) assertCountable(correlation, inner.correlation, text.rules.length + k);
  const chained = texts.filter((inner) => inner.correlation).length;
  if (chained > 0) assertChain(correlation, text.rules.length + texts.length - chained);
  return counted.map(({ id }) => id);
}

async function ruleNamed(table: Table, name: string, { id, enabled }: Own): Promise<DetectionRule> {
  const found = (await recordsOf(table, detectionRules, { where: { named: name } })).filter((one) => one.id !== id);
  const [rule] = found;
  if (!rule)
    return refuse(
      PATH,
      `names ${name}, and no other rule has this id or name: store that rule first, or write it into the same text, behind a line with ---`,
    );
  if (found.length > 1) refuse(PATH, `names ${name}, as ${found.length} rules are: name the rule by an id of its own`);
  if (rule.type === 'filter' || rule.type === 'new_terms')
    refuse(PATH, `names ${name}, which is of the type ${rule.type}: rules of events and correlations are counted`);
  if (enabled && !rule.enabled) refuse(PATH, `names ${name}, which is off: turn that rule on first`);
  return table.get(detectionRules, rule.id);
}

async function assertNoCircle(table: Table, counted: readonly DetectionRule[], { id }: Own): Promise<void> {
  let level: readonly DetectionRule[] = counted;
  for (let n = 1; level.length > 0; n++) {
    if (level.some((rule) => rule.id === id)) refuse(PATH, 'must not lead back to this rule');
    if (n > MAX_LEVELS) refuse(PATH, `must count correlations over correlations at most ${MAX_LEVELS} deep`);
    const ids = new Set(level.flatMap(({ counts }) => counts ?? []));
    level = await Promise.all([...ids].map((one) => table.get(detectionRules, one)));
  }
}

/** A correlation has the fields of its `group-by`, and no others. */
function assertCountable(outer: Correlation, inner: Correlation, n: number): void {
  const isMissing = (name: string) => !inner.groupBy.includes(outer.aliases[n]?.get(name) ?? name);
  const missing = outer.groupBy.find(isMissing);
  if (missing !== undefined)
    refuse('correlation.group-by', `must have only fields that each counted correlation groups by, unlike ${missing}`);
  const field = outer.fields?.find(isMissing);
  if (field !== undefined)
    refuse('correlation.condition.field', `must be a field that each counted correlation groups by, unlike ${field}`);
}

const MAX_TIMES = 100;

function assertChain({ type, atLeast }: Correlation, plain: number): void {
  if (type.startsWith('temporal') || type === 'value_count') return;
  if (type !== 'event_count') refuse('correlation.type', `${type} counts numbers of events: a correlation has none`);
  if (plain > 0) refuse(PATH, 'must be rules only, or correlations only: event_count counts one of both');
  if (atLeast > MAX_TIMES)
    refuse('correlation.condition', `must ask for at most ${MAX_TIMES} times that a correlation comes about`);
}

type Dependant = ListItem<DetectionRule, 'content' | 'description' | 'exceptions'>;

/** The correlations that count this rule. */
export const dependantsOf = (table: Table, id: string): Promise<Dependant[]> =>
  recordsOf(table, detectionRules, { where: { counts: id } });

/** @throws conflict with the names of the rules that count this one */
export function assertUncounted(dependants: readonly Dependant[], instead: string): void {
  if (dependants.length === 0) return;
  const details = dependants.map(({ id, title }) => ({ path: id, message: `${title} counts this rule` }));
  throw conflict(`Other rules count this one: ${instead}`, details);
}

/** Whether a rule with this text can be counted as one with that text. */
export const isCountedAlike = (one: SigmaText, other: SigmaText): boolean => asCounted(one) === asCounted(other);

const asCounted = ({ meta, correlation, newTerms, filters }: SigmaText): string =>
  JSON.stringify([meta.id, meta.name, correlation?.groupBy.toSorted(), newTerms !== null, filters !== null]);
