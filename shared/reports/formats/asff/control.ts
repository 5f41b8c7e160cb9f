import { type JsonObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { type HubControl, NOTHING_TO_LOOK_AT } from '../../readers/security-hub.ts';

export const controlOf = (entry: JsonObject): HubControl => ({
  id: textAt(entry, 'Compliance', 'SecurityControlId'),
  requirements: textsAt(entry, 'Compliance', 'RelatedRequirements'),
  generator: textAt(entry, 'GeneratorId'),
  outcome: outcomeOf(entry),
});

function outcomeOf(entry: JsonObject): HubControl['outcome'] {
  const reasons = listAt(entry, 'Compliance', 'StatusReasons').map((reason) => textAt(reason, 'ReasonCode'));
  if (reasons.includes(NOTHING_TO_LOOK_AT)) return undefined;
  const status = textAt(entry, 'Compliance', 'Status');
  if (status === 'FAILED') return 'failed';
  return status === 'PASSED' && textAt(entry, 'RecordState') !== 'ARCHIVED' ? 'passed' : undefined;
}
