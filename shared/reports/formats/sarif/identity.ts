import { type CodeProblem, codeIdentity } from '../../code-identity.ts';
import { fieldAt, isObject, type JsonObject } from '../../json.ts';

/** The parts of a result by which it may be recognised in the next report. */
type IdentitySource = CodeProblem & { result: unknown };

export function identityOf({ result, ruleId, place, snippet, message }: IdentitySource): string[] {
  const fingerprints = stableEntries(fieldAt(result, 'fingerprints'));
  if (fingerprints.length > 0) return [ruleId, place, ...fingerprints];
  const partial = partialFingerprints(fieldAt(result, 'partialFingerprints'));
  if (partial.length > 0) return [ruleId, place, ...partial];
  return codeIdentity({ ruleId, place, snippet, message });
}

/** GitHub compares this one alone where it is given, so every uploader keeps it stable. */
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
