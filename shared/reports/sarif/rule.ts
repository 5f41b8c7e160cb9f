import { fieldAt, listAt, numberAt, textAt, textsAt } from '../json.ts';
import { LIMITS } from '../report.ts';
import { bounded } from '../text.ts';

/** What a finding may take from its rule, cut to the limits at once, because all rules of a report stay in memory. */
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

/** The bytes that long rule texts of one report may still take; when used up, further rules keep their short texts. */
export type RuleBudget = { bytes: number };
export const newRuleBudget = (): RuleBudget => ({ bytes: 64 * 1024 * 1024 });

export function Rule(content: unknown, budget: RuleBudget): Rule {
  const long = {
    full: cut(textAt(content, 'fullDescription', 'text'), LIMITS.description),
    help: cut(textAt(content, 'help', 'text') ?? textAt(content, 'help', 'markdown'), LIMITS.remediation),
  };
  const messages = fieldAt(content, 'messageStrings');
  budget.bytes -= (long.full?.length ?? 0) + (long.help?.length ?? 0) + JSON.stringify(messages ?? '').length;
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
    taxa: listAt(content, 'relationships')
      .slice(0, LIMITS.identifiers)
      .map((relation) => fieldAt(relation, 'target')),
    messages: budget.bytes > 0 ? messages : undefined,
    ...(budget.bytes > 0 ? long : {}),
  };
}

/** The tags and CWE properties of a rule or result. */
export function tagsOf(properties: unknown): string[] {
  const tags = [...textsAt(properties, 'tags'), ...textsAt(properties, 'cwe')];
  return tags.slice(0, LIMITS.tags).map((tag) => bounded(tag, LIMITS.tag));
}

/** A CVSS vector under whatever name the tool gave the property. */
export function vectorIn(properties: unknown): string | undefined {
  if (typeof properties !== 'object' || properties === null) return undefined;
  const values = Object.values(properties);
  return values.find((value) => typeof value === 'string' && value.length < 300 && /^CVSS:[34]\.\d\//.test(value));
}

function cut(text: string | undefined, maxBytes: number): string | undefined {
  return text === undefined ? undefined : bounded(text, maxBytes);
}
