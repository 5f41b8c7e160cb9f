import { excessOf, MAX_LEVELS, MAX_VALUES } from '#shared/platform/runtime/json-cost.ts';
import { LIMITS, ReportError } from '../report/report.ts';

/** @throws ReportError for a text that is too deep or too large, SyntaxError for one that is no JSON */
export function parseWithin(text: string, where: string): unknown {
  const excess = excessOf(text);
  if (excess) throw excessive(excess, where);
  return JSON.parse(text);
}

export const tooManyParts = (): ReportError =>
  new ReportError('too_large', 'The report describes too many parts (runs, rules, targets): split it.');

export const excessive = (excess: 'levels' | 'values', where: string): ReportError =>
  excess === 'levels'
    ? new ReportError('invalid_report', `The JSON nests over ${MAX_LEVELS} deep (${where}).`)
    : new ReportError(
        'too_large',
        `One entry of the report (${where}) has over ${MAX_VALUES} values or ${LIMITS.rawValue} bytes: leave embedded files and full contents out.`,
      );
