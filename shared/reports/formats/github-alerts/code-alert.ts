import { codeIdentity } from '../../readers/code-identity.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { fieldAt, indexAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { findCwes } from '../../readers/text.ts';
import type { Severity } from '../../report/report.ts';
import { repositoryOf } from './repository.ts';

/** The finding of a code scanning alert, [] when it is fixed or dismissed. */
export function codeDraftOf(alert: JsonObject, parents: readonly JsonObject[]): FindingDraft | [] | undefined {
  const rule = fieldAt(alert, 'rule');
  const ruleId = textAt(rule, 'id') ?? textAt(rule, 'name');
  if (!ruleId) return undefined;
  if ((textAt(alert, 'state') ?? 'open') !== 'open') return [];
  const instance = fieldAt(alert, 'most_recent_instance');
  const [path, message] = [textAt(instance, 'location', 'path'), textAt(instance, 'message', 'text')];
  const word = textAt(rule, 'security_severity_level') ?? textAt(rule, 'severity');
  return {
    title: textAt(rule, 'description') ?? message ?? ruleId,
    description: [message, textAt(rule, 'full_description')].filter((text) => text).join('\n\n'),
    severity: severityOfWord(word) ?? LEVELS.get(word ?? '') ?? 'medium',
    toolSeverity: word,
    ruleId,
    cwes: findCwes(...textsAt(rule, 'tags')),
    asset: repositoryOf(alert, parents),
    location: { path, line: indexAt(instance, 'location', 'start_line'), commit: textAt(instance, 'commit_sha') },
    references: textsAt(alert, 'html_url'),
    remediation: textAt(rule, 'help'),
    tags: [...textsAt(alert, 'tool', 'name'), ...textsAt(rule, 'tags').filter((tag) => !tag.startsWith('external/'))],
    identity: codeIdentity({ ruleId, place: path ?? '', message }),
  };
}

/** For rules that are not about security, as in SARIF. */
const LEVELS = new Map<string, Severity>([
  ['error', 'high'],
  ['warning', 'medium'],
  ['note', 'low'],
  ['none', 'info'],
]);
