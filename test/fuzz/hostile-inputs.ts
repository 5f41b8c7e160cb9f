import { hostileCondition, hostileRule } from './hostile-rules.ts';
import { hostileText, packed } from './hostile-texts.ts';
import { mutated, type Report } from './reports.ts';
import { anything, type Dice, oneOf } from './values.ts';

/** One input of an attacker; `bytes` are of a report or of a batch of events. */
export type Hostile =
  | { kind: 'report'; format: string; bytes: Buffer }
  | { kind: 'events'; format: string; bytes: Buffer }
  | { kind: 'rule'; content: string; events: object[] }
  | { kind: 'condition'; condition: unknown }
  | { kind: 'webhook'; bytes: Buffer };

export const KINDS = ['report', 'events', 'rule', 'condition', 'webhook'] as const;

function report(dice: Dice, reports: readonly Report[]): Hostile {
  const { format, content } = dice() < 0.4 ? mutated(dice, reports) : oneOf(dice, reports);
  const text = dice() < 0.8 ? hostileText(dice, content.toString()) : content.toString();
  return { kind: 'report', format: dice() < 0.1 ? 'auto' : format, bytes: packed(dice, text) };
}

const LINES = [
  "<34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8",
  '<165>1 2026-01-15T08:00:00.003Z host app 1234 ID47 [exampleSDID@32473 iut="3" eventSource="A"] BOMAn event',
  'CEF:0|Vendor|Product|1.0|100|An event|5|src=10.0.0.1 dst=10.0.0.2 spt=1232 rt=1768464000000 msg=a\\=b cs1Label=x cs1=y',
  '{"@timestamp":"2026-01-15T08:00:00Z","event":{"action":"login","category":["authentication"]},"user":{"name":"ada"}}',
  '{"class_uid":3002,"time":1768464000000,"severity_id":1,"actor":{"user":{"name":"ada"}},"metadata":{"version":"1.1.0"}}',
  '{"Records":[{"eventTime":"2026-01-15T08:00:00Z","eventName":"ConsoleLogin","userIdentity":{"userName":"ada"}}]}',
];

function events(dice: Dice): Hostile {
  const lines = Array.from({ length: 1 + Math.floor(dice() * 5) }, () => oneOf(dice, LINES)).join('\n');
  const format = oneOf(dice, ['auto', 'syslog', 'cef', 'json', 'ecs', 'ocsf']);
  return { kind: 'events', format, bytes: packed(dice, dice() < 0.9 ? hostileText(dice, lines) : lines) };
}

const DELIVERY = JSON.stringify({
  ref: 'refs/heads/main',
  repository: { id: 7, full_name: 'acme/shop', default_branch: 'main', private: true },
  commits: [{ id: 'a'.repeat(40), message: 'x', added: ['a.ts'], removed: [], modified: [] }],
  issue: { key: 'SEC-1', fields: { status: { name: 'Done' }, summary: 'x' } },
});

/** The input of a number, from the dice of this number: one seed and number give one input. */
export function hostileInput(dice: Dice, reports: readonly Report[], kind: Hostile['kind'] = chosen(dice)): Hostile {
  if (kind === 'report') return report(dice, reports);
  if (kind === 'events') return events(dice);
  if (kind === 'rule') return hostileRule(dice);
  if (kind === 'condition') return { kind, condition: dice() < 0.1 ? anything(dice) : hostileCondition(dice) };
  return { kind, bytes: Buffer.from(hostileText(dice, DELIVERY)) };
}

const chosen = (dice: Dice): Hostile['kind'] => {
  const kind = dice();
  return kind < 0.5 ? 'report' : kind < 0.7 ? 'events' : kind < 0.85 ? 'rule' : 'condition';
};
