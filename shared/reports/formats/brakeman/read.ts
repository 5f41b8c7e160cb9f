import { codeIdentity } from '../../readers/code-identity.ts';
import { jsonEntries, readEntries } from '../../readers/entries.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { indexAt, type JsonObject, listAt, plainAt, textAt, textsAt } from '../../readers/json.ts';
import { rootMembers } from '../../readers/root-members.ts';
import { findCves, findCwes, pathInTree } from '../../readers/text.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';

/** Brakeman's JSON: its warnings, without those in its ignore file. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  const root = await rootMembers(open, 'scan_info', 'errors');
  yield { kind: 'tool', name: 'Brakeman', version: textAt(root, 'scan_info', 'brakeman_version') };
  yield* readEntries(jsonEntries(open, 'warnings'), draftOf, 'the warning has no warning_code or no file');
  const errors = listAt(root, 'errors');
  if (errors.length > 0)
    yield { kind: 'incomplete', code: 'tool_error', count: errors.length, first: textAt(errors[0], 'error') };
}

function draftOf(warning: JsonObject): FindingDraft | undefined {
  const code = indexAt(warning, 'warning_code');
  const file = textAt(warning, 'file');
  if (code === undefined || !file) return undefined;
  // The spelling of its SARIF, as is the full stop below.
  const ruleId = `BRAKE${String(code).padStart(4, '0')}`;
  const message = (textAt(warning, 'message') ?? ruleId).replace(/(?<!\.)$/, '.');
  const type = textAt(warning, 'warning_type');
  const place = pathInTree(file);
  const confidence = textAt(warning, 'confidence');
  return {
    title: type ? `${type}: ${message.slice(0, -1)}` : message,
    description: message,
    severity: severityOfWord(confidence) ?? 'low',
    toolSeverity: confidence,
    ruleId,
    cves: findCves(message),
    cwes: findCwes(...listAt(warning, 'cwe_id').map((id) => `CWE-${plainAt(id) ?? ''}`)),
    asset: null,
    location: { path: place, line: indexAt(warning, 'line'), snippet: textAt(warning, 'code') },
    evidence: [{ kind: 'text', content: wayOf(warning) }],
    references: textsAt(warning, 'link'),
    tags: textsAt(warning, 'check_name'),
    place: textAt(warning, 'fingerprint') ?? textAt(warning, 'code'),
    identity: codeIdentity({ ruleId, place, message }),
  };
}

/** The input that reaches the code, and the controllers and views on its way. */
function wayOf(warning: JsonObject): string {
  const input = textAt(warning, 'user_input');
  const steps = listAt(warning, 'render_path').map((step) => {
    const name = [...textsAt(step, 'class'), ...textsAt(step, 'method'), ...textsAt(step, 'name')].join('#');
    return `${textAt(step, 'file') ?? ''}:${indexAt(step, 'line') ?? ''} ${name}`;
  });
  return [...(input ? [`User input: ${input}`] : []), ...steps].join('\n');
}
