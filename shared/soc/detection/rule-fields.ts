import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import { isTechnique, MAX_TECHNIQUES } from '../alerts/attack-technique.ts';
import { readSigma } from '../sigma/read.ts';
import { SigmaError } from '../sigma/refusal.ts';
import type { SigmaMeta, SigmaText } from '../sigma/rule.ts';
import type { DetectionRule } from './detection-rule.ts';

const severityOf = ({ level }: SigmaMeta): Severity => (level === 'informational' ? 'info' : level);

/** The ATT&CK techniques among the tags of a rule, such as `attack.t1059.001`. */
const techniquesOf = ({ tags }: SigmaMeta): string[] =>
  [...new Set(tags.map((tag) => tag.toUpperCase().replace(/^ATTACK\./, '')))]
    .filter(isTechnique)
    .slice(0, MAX_TECHNIQUES);

type TextFields = Pick<
  DetectionRule,
  'title' | 'description' | 'severity' | 'type' | 'logsources' | 'attackTechniques' | 'sigmaId' | 'sigmaName'
>;

/** The fields of a record that come from its text. */
export const fieldsOfText = ({ meta, rules, correlation, newTerms, filters }: SigmaText): TextFields => ({
  title: meta.title,
  description: meta.description,
  severity: severityOf(meta),
  type: correlation?.type ?? (filters ? 'filter' : newTerms ? 'new_terms' : 'events'),
  logsources: rules.map(({ logsource }) => logsource),
  attackTechniques: techniquesOf(meta),
  sigmaId: meta.id,
  sigmaName: meta.name,
});

/** @throws validation_failed with the place and the reason, for a text that cannot be evaluated */
export const readContent = (content: string): Promise<TextFields> =>
  answered(async () => fieldsOfText(await readSigma(content)));

/** @throws validation_failed with the place and the reason, in place of a SigmaError */
export async function answered<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SigmaError) throw invalid(pathOf(error), error.reason);
    throw error;
  }
}

const pathOf = ({ path }: SigmaError): string => (path === 'content' ? path : `content.${path}`);
