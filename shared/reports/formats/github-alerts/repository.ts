import { fieldAt, type JsonObject, textAt } from '../../readers/json.ts';
import type { ReportAsset } from '../../report/report.ts';

/**
 * By its page where the answer names one, otherwise by its name: a list names the repository of each alert, an answer
 * the repository around the alerts.
 */
export function repositoryOf(alert: JsonObject, parents: readonly JsonObject[]): ReportAsset | null {
  const repository = fieldAt(alert, 'repository') ?? parents.find((parent) => parent.vulnerabilityAlerts !== undefined);
  const owner = textAt(repository, 'owner', 'login');
  const name = textAt(repository, 'name');
  const value =
    textAt(repository, 'html_url') ??
    textAt(repository, 'url') ??
    /^https:\/\/[^/]+\/[^/]+\/[^/]+(?=\/(?:security|code-scanning)\/)/.exec(textAt(alert, 'html_url') ?? '')?.[0] ??
    textAt(repository, 'full_name') ??
    textAt(repository, 'nameWithOwner') ??
    (owner && name ? `${owner}/${name}` : name);
  return value ? { type: 'repository', value } : null;
}
