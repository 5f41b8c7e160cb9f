import { readCondition } from './condition.ts';
import { readCorrelation } from './correlation.ts';
import { type Fields, fieldsOf, readDocuments, textOf, textsOf } from './documents.ts';
import { readNewTerms } from './new-terms.ts';
import { refuse } from './refusal.ts';
import { regexReader } from './regex.ts';
import { type Condition, LEVELS, type LogSource, type SigmaMeta, type SigmaRule, type SigmaText } from './rule.ts';
import { readSearches } from './search.ts';
import type { ReadRegex } from './values.ts';

/**
 * Reads the text of a rule: one Sigma rule, a correlation and the rules that it counts, as documents of one YAML
 * text, or a filter. Sigma specification 2.1; docs/detection.md lists the supported part.
 * @throws SigmaError for the first wrong or unsupported part
 */
export async function readSigma(text: string): Promise<SigmaText> {
  const documents = await readDocuments(text);
  const [first] = documents;
  if (first && documents.some((one) => 'filter' in one)) return readFilter(first, documents.length);
  const { plain = [], counting = [] } = Object.groupBy(documents, (one) =>
    'correlation' in one ? 'counting' : 'plain',
  );
  if (counting.length > 1) refuse('correlation', 'must be one: write each into a rule of its own');
  if (counting.length === 0 && plain.length > 1)
    refuse('content', 'must be one rule, or several with a correlation that counts them');
  const readRegex = await regexReader();
  const rules = plain.map((one) => readRule(one, readRegex));
  const [correlation] = counting;
  const document = correlation ?? plain[0] ?? {};
  if (document.generate === true && rules.length > 0)
    refuse('generate', 'must be false: write each rule that is to alert into a rule of its own');
  const meta = readMeta(document);
  const isFirst = documents.find((one) => NEW_TERMS in one);
  if (isFirst && correlation)
    refuse(NEW_TERMS, 'must be in a rule of its own: a correlation counts all events of its rules');
  return {
    meta,
    rules,
    correlation: correlation ? readCorrelation(correlation.correlation, rules) : null,
    newTerms: readNewTerms(document[NEW_TERMS]),
    filters: null,
  };
}

/** A filter: rules that it names, or all rules of its log source, match only events that it lets through. */
async function readFilter(fields: Fields, documents: number): Promise<SigmaText> {
  if (documents > 1) refuse('filter', 'must be the only document of its text');
  const { rules, ...detection } = fieldsOf('filter', fields.filter);
  const named = textsOf('filter.rules', rules);
  const isAny = named.length === 0 || (named.length === 1 && named[0] === 'any');
  if (named.length > MAX_FILTERED) refuse('filter.rules', `must name at most ${MAX_FILTERED} rules, or any`);
  const rule = readRule({ ...fields, filter: undefined, detection }, await regexReader());
  return { meta: readMeta(fields), rules: [rule], correlation: null, newTerms: null, filters: isAny ? 'any' : named };
}

const NEW_TERMS = 'new_terms';
const MAX_FILTERED = 1_000;

const REFUSED_KEYS = {
  action: 'belongs to rule collections of Sigma 1, which are not supported: write one rule',
} as const;

function readRule(fields: Fields, readRegex: ReadRegex): SigmaRule {
  for (const [key, reason] of Object.entries(REFUSED_KEYS)) if (key in fields) refuse(key, reason);
  if ((fields.taxonomy ?? 'sigma') !== 'sigma') refuse('taxonomy', 'must be sigma: the names of others are not known');
  const detection = fieldsOf('detection', fields.detection);
  const searches = readSearches(detection, readRegex);
  return {
    name: textOf('name', fields.name),
    id: textOf('id', fields.id),
    logsource: readLogSource(fields.logsource),
    searches,
    condition: conditionsOf(detection.condition, [...searches.keys()]),
  };
}

/** Each reference is tried on every event. No rule of SigmaHQ names more than 34. */
const MAX_REFERENCES = 500;
/** In characters. Rules of SigmaHQ have conditions of more than 256. */
const MAX_CONDITION = 4_000;

const referencesIn = (condition: Condition): number => {
  if (condition.kind === 'search') return 1;
  return [condition.of].flat().reduce((sum, one) => sum + referencesIn(one), 0);
};

/** Of several conditions one must be true. */
function conditionsOf(value: unknown, names: readonly string[]): Condition {
  const texts = textsOf('detection.condition', value, MAX_CONDITION);
  if (texts.length === 0) refuse('detection.condition', 'must be a text such as selection and not filter');
  let left = MAX_REFERENCES;
  const of = texts.map((text) => {
    const one = readCondition(text, names);
    left -= referencesIn(one);
    if (left < 0) refuse('detection.condition', `must name at most ${MAX_REFERENCES} searches, counting each of them`);
    return one;
  });
  const [only] = of;
  return of.length === 1 && only ? only : { kind: 'or', of };
}

function readLogSource(value: unknown): LogSource {
  const fields = fieldsOf('logsource', value);
  const [category = null, product = null, service = null] = ['category', 'product', 'service'].map(
    (name) => textOf(`logsource.${name}`, fields[name])?.toLowerCase() ?? null,
  );
  if (category === null && product === null && service === null)
    refuse('logsource', 'must have a category, a product or a service');
  return { category, product, service };
}

function readMeta(fields: Fields): SigmaMeta {
  const title = textOf('title', fields.title) ?? refuse('title', 'must be a text');
  const named = fields.level ?? 'medium';
  const level = LEVELS.find((one) => one === named) ?? refuse('level', `must be one of ${LEVELS.join(', ')}`);
  const description = textOf('description', fields.description || null, 10_000);
  return {
    title,
    level,
    description,
    id: textOf('id', fields.id),
    name: textOf('name', fields.name),
    tags: textsOf('tags', fields.tags),
  };
}
