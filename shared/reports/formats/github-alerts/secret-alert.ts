import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, indexAt, type JsonObject, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { reportSecret } from '../../readers/secret.ts';
import { repositoryOf } from './repository.ts';

/**
 * The finding of an alert on a secret, [] for a resolved one. GitHub omits the secret on request (`hide_secret`).
 * https://docs.github.com/rest/secret-scanning/secret-scanning
 */
export function secretDraftOf(alert: JsonObject, parents: readonly JsonObject[]): FindingDraft | [] | undefined {
  const ruleId = textAt(alert, 'secret_type');
  if (!ruleId) return undefined;
  if ((textAt(alert, 'state') ?? (textAt(alert, 'resolution') ? 'resolved' : 'open')) !== 'open') return [];
  const kind = textAt(alert, 'secret_type_display_name') ?? ruleId;
  const place = fieldAt(alert, 'first_location_detected');
  const path = textAt(place, 'path');
  const number = numberAt(alert, 'number');
  const isActive = textAt(alert, 'validity') === 'active';
  return {
    title: `Secret in the repository: ${kind}`,
    description:
      fieldAt(alert, 'publicly_leaked') === true ? 'The secret was also found outside of the repository.' : undefined,
    severity: isActive ? 'critical' : 'high',
    toolSeverity: textAt(alert, 'validity'),
    ruleId,
    cwes: ['CWE-798'],
    secret: reportSecret({ ruleId, secret: textAt(alert, 'secret'), verified: verifiedBy(textAt(alert, 'validity')) }),
    asset: repositoryOf(alert, parents),
    location: { path, line: indexAt(place, 'start_line'), commit: textAt(place, 'commit_sha') },
    references: textsAt(alert, 'html_url'),
    remediation: 'Revoke the secret where it was issued, then replace it.',
    tags: [],
    identity: [ruleId, String(number ?? path ?? '')],
  };
}

/** GitHub asks the issuer of the secret, where it can. */
const verifiedBy = (validity: string | undefined): boolean | null =>
  validity === 'active' || validity === 'inactive' ? validity === 'active' : null;
