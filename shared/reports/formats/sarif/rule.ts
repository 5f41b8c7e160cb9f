import { type ContextBudget, spend } from '../../readers/context-budget.ts';
import { fieldAt, indexAt, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { bounded } from '../../readers/text.ts';
import { LIMITS } from '../../report/report.ts';

/** A rule, cut to the limits of a finding at once, because all rules of a report stay in memory. */
export type Rule = {
  id: string;
  name?: string;
  short?: string;
  full?: string;
  help?: string;
  helpUri?: string;
  level?: string;
  securitySeverity?: number;
  vector?: string;
  tags: string[];
  taxa: unknown[];
  messages: unknown;
};

export function Rule(content: unknown, budget: ContextBudget): Rule {
  const long = {
    full: cut(textAt(content, 'fullDescription', 'text'), LIMITS.description),
    help: cut(textAt(content, 'help', 'text') ?? textAt(content, 'help', 'markdown'), LIMITS.remediation),
  };
  const messages = fieldAt(content, 'messageStrings');
  spend(budget, 2000 + (long.full?.length ?? 0) + (long.help?.length ?? 0) + JSON.stringify(messages ?? '').length);
  const properties = fieldAt(content, 'properties');
  return {
    id: cut(textAt(content, 'id'), LIMITS.name) ?? '',
    name: cut(textAt(content, 'name'), LIMITS.name),
    short: cut(textAt(content, 'shortDescription', 'text'), LIMITS.title),
    helpUri: cut(textAt(content, 'helpUri'), LIMITS.reference),
    level: cut(textAt(content, 'defaultConfiguration', 'level'), LIMITS.tag),
    securitySeverity: numberAt(properties, 'security-severity'),
    vector: vectorIn(properties),
    tags: tagsOf(properties),
    taxa: listAt(content, 'relationships').slice(0, LIMITS.identifiers).map(taxonOf),
    messages: budget.bytes > 0 ? messages : undefined,
    ...(budget.bytes > 0 ? long : {}),
  };
}

/** A reference to a taxon, reduced to the fields that are read. */
function taxonOf(relationship: unknown): unknown {
  const target = fieldAt(relationship, 'target');
  const name = cut(textAt(target, 'toolComponent', 'name'), LIMITS.tag);
  const index = indexAt(target, 'toolComponent', 'index');
  return { id: cut(textAt(target, 'id'), LIMITS.tag), toolComponent: { name, index } };
}

/** The tags and CWE properties of a rule or result. */
export function tagsOf(properties: unknown): string[] {
  const tags = [...textsAt(properties, 'tags'), ...textsAt(properties, 'cwe')];
  return tags.slice(0, LIMITS.tags).map((tag) => bounded(tag, LIMITS.tag));
}

/** A CVSS vector under any property name. */
export function vectorIn(properties: unknown): string | undefined {
  if (typeof properties !== 'object' || properties === null) return undefined;
  const values = Object.values(properties);
  return values.find((value) => typeof value === 'string' && value.length < 300 && /^CVSS:[34]\.\d\//.test(value));
}

function cut(text: string | undefined, maxBytes: number): string | undefined {
  return text === undefined ? undefined : bounded(text, maxBytes);
}
