import { codeIdentity } from '../../readers/code-identity.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { fieldAt, indexAt, isObject, type JsonObject, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import type { NestedEntry } from '../../readers/nested-entries.ts';
import { packageProblem } from '../../readers/package-problem.ts';
import { reportSecret } from '../../readers/secret.ts';
import { pathInTree } from '../../readers/text.ts';
import { checkOfCheckov } from './benchmark.ts';

/** The finding of one failed check. */
export function draftOf(check: JsonObject, { parents: [report] }: NestedEntry): FindingDraft | undefined {
  const checkId = textAt(check, 'check_id');
  const file = textAt(check, 'repo_file_path') ?? textAt(check, 'file_path');
  if (!checkId || !file) return undefined;
  const place = pathInTree(file).replace(/^\/{1,9}/, '');
  const word = textAt(check, 'severity');
  const draft = {
    severity: severityOfWord(word) ?? 'medium',
    toolSeverity: word,
    description: textAt(check, 'description') ?? textAt(check, 'short_description'),
    asset: null,
    place: textAt(check, 'resource'),
    references: [...textsAt(check, 'guideline'), ...textsAt(check, 'vulnerability_details', 'link')],
    tags: [...textsAt(report, 'check_type'), ...textsAt(check, 'bc_category')],
  } satisfies Partial<FindingDraft>;
  const details = fieldAt(check, 'vulnerability_details');
  if (isObject(details) && textAt(details, 'package_name'))
    return { ...draft, ...vulnerabilityOf(checkId, details, place), place: draft.place };
  return { ...draft, ...problemOf(check, { checkId, place, isSecret: textAt(report, 'check_type') === 'secrets' }) };
}

type Place = { checkId: string; place: string; isSecret: boolean };

/** The resource of a secret is its digest, and its code contains it. */
function problemOf(check: JsonObject, { checkId, place, isSecret }: Place) {
  const name = textAt(check, 'check_name') ?? checkId;
  const resource = isSecret ? place : textAt(check, 'resource');
  const snippet = listAt(check, 'code_block')
    .map((line) => textAt(line, 1) ?? '')
    .join('');
  return {
    title: resource ? `${name}: ${resource}` : name,
    ruleId: checkId,
    check: checkOfCheckov(checkId),
    location: {
      path: place,
      line: indexAt(check, 'file_line_range', 0),
      snippet: isSecret ? undefined : snippet,
    },
    ...(isSecret && { secret: reportSecret({ ruleId: name }) }),
    evidence: [{ kind: 'text', content: keysOf(check) }],
    identity: codeIdentity({ ruleId: checkId, place, snippet, message: textAt(check, 'short_description') ?? name }),
  } satisfies Partial<FindingDraft>;
}

function keysOf(check: JsonObject): string {
  const keys = textsAt(check, 'check_result', 'evaluated_keys').slice(0, 50);
  return keys.length > 0 ? `Decided by ${keys.join(', ')}` : '';
}

/** A known vulnerability of a package, or its licence. */
function vulnerabilityOf(checkId: string, details: JsonObject, place: string) {
  const fixed = textAt(details, 'fix_version') ?? textAt(details, 'lowest_fixed_version');
  const component = {
    name: textAt(details, 'package_name') ?? '',
    version: textAt(details, 'package_version'),
    fixedVersions: fixed ? [fixed] : [],
  };
  const licence = textAt(details, 'license');
  const id = textAt(details, 'id') ?? (licence ? `Licence ${licence}` : checkId);
  return {
    ...packageProblem({ id, component, place }),
    ...(textAt(details, 'description') && { description: textAt(details, 'description') }),
    cvssVector: textAt(details, 'vector'),
    cvssScore: numberAt(details, 'cvss'),
  };
}
