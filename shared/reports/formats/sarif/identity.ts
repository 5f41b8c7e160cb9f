import { type CodeProblem, codeIdentity, hiddenCodeIdentity, type Span } from '../../readers/code-identity.ts';
import { fieldAt, indexAt, isObject, type JsonObject, textAt } from '../../readers/json.ts';

/** The parts of a result by which it may be recognised in the next report. */
type IdentitySource = CodeProblem & { result: unknown };

export function identityOf({ result, ...problem }: IdentitySource): string[] {
  const { ruleId, place } = problem;
  const fingerprints = stableEntries(fieldAt(result, 'fingerprints'));
  if (fingerprints.length > 0) return [ruleId, place, ...fingerprints];
  const partial = partialFingerprints(fieldAt(result, 'partialFingerprints'));
  if (partial.length > 0) return [ruleId, place, ...partial];
  if (textAt(result, 'fingerprints', 'matchBasedId/v1') === HIDDEN) return hiddenCodeIdentity(problem, spanOf(result));
  return codeIdentity(problem);
}

/** Semgrep writes this text for users without a login; its JSON then has no line of code either. */
const HIDDEN = 'requires login';

function spanOf(result: unknown): Span {
  const region = fieldAt(result, 'locations', 0, 'physicalLocation', 'region');
  const line = indexAt(region, 'startLine') ?? 0;
  return {
    lines: [line, indexAt(region, 'endLine') ?? line],
    columns: [indexAt(region, 'startColumn') ?? 0, indexAt(region, 'endColumn') ?? 0],
  };
}

/** GitHub compares only this fingerprint where it exists, so every uploader keeps it stable. */
const LINE_HASH = 'primaryLocationLineHash';

function partialFingerprints(content: unknown): string[] {
  const entries = stableEntries(content);
  const lineHash = entries.filter((entry) => entry.startsWith(`${LINE_HASH}:`));
  return lineHash.length > 0 ? lineHash : entries;
}

/** Left out: placeholders (Semgrep without a login writes "requires login"), columns, hashes of the whole file. */
function stableEntries(content: unknown): string[] {
  if (!isObject(content)) return [];
  return Object.keys(content)
    .filter((key) => !/column|file_?hash/i.test(key) && isFingerprint(content, key))
    .sort()
    .map((key) => `${key}:${content[key]}`);
}

function isFingerprint(content: JsonObject, key: string): boolean {
  const value = content[key];
  return typeof value === 'string' && value !== '' && !/\s/.test(value);
}
