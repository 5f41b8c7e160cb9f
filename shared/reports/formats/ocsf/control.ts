import { fieldAt, indexAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { type HubControl, NOTHING_TO_LOOK_AT } from '../../readers/security-hub.ts';

/** The control of AWS Security Hub that an event concerns; only the hub has ids of controls. */
export const controlOf = (event: JsonObject): HubControl => ({
  ...(isOfHub(event) && { id: textAt(event, 'compliance', 'control') }),
  requirements: textsAt(event, 'compliance', 'requirements'),
  outcome: outcomeOf(event),
});

function isOfHub(event: JsonObject): boolean {
  const [name, vendor] = ['name', 'vendor_name'].map((key) => textAt(event, 'metadata', 'product', key) ?? '');
  return /^security hub\b/i.test(name ?? '') && /^(?:aws|amazon)\b/i.test(vendor ?? '');
}

/** 3 suppressed, 5 archived, 6 deleted: the event does not describe a current problem. */
const OVER = new Set([3, 5, 6]);

function outcomeOf(event: JsonObject): HubControl['outcome'] {
  const said = JSON.stringify([
    fieldAt(event, 'compliance'),
    fieldAt(event, 'unmapped'),
    fieldAt(event, 'status_detail'),
  ]);
  if (said.includes(NOTHING_TO_LOOK_AT)) return undefined;
  const id = indexAt(event, 'compliance', 'status_id');
  const word = textAt(event, 'compliance', 'status') ?? '';
  if (id === 3 || /^fail/i.test(word)) return 'failed';
  const isOver = OVER.has(indexAt(event, 'state_id') ?? indexAt(event, 'status_id') ?? 0);
  return (id === 1 || /^pass/i.test(word)) && !isOver ? 'passed' : undefined;
}
