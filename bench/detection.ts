import { newId } from '#shared/platform/runtime/ids.ts';
import { inTurns } from '#shared/platform/runtime/turns.ts';
import type { ReadyRule } from '#shared/soc/detection/ready-rule.ts';
import { readContent } from '#shared/soc/detection/rule-fields.ts';
import { indexRules } from '#shared/soc/detection/rule-index.ts';
import { readyRule, rulesetOf } from '#shared/soc/detection/ruleset.ts';
import { sight } from '#shared/soc/detection/sightings.ts';
import { starterRules } from '#shared/soc/detection/starter/list.ts';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import { readEvents } from '#shared/soc/siem/read-events.ts';
import { eventTexts } from '#shared/soc/sigma/event.ts';
import { readSigma } from '#shared/soc/sigma/read.ts';
import { STARTER_SAMPLES } from '#test/support/detection/starter-samples.ts';
import type { PlainTable } from './report.ts';

const RULES = 200;
const EVENTS = 20_000;
/** For one processor: 5,000 events a second may use at most half of two processors. */
const LEAST_EVENTS_A_SECOND = 5_000;

/**
 * Tries rules on events that match no rule: 200 on events of all log sources of the starter rules, 200 on events of one
 * source, and 3,000 with texts of their own on events of one source; then 3,000 of which some have words for anywhere in an event, and
 * some an expression alone.
 */
export async function benchDetection(): Promise<PlainTable> {
  const rules = await rulesOf(Object.values(starterRules()));
  const ofProcesses = await rulesOf(Object.values(starterRules()).filter((text) => text.includes('process_creation')));
  const events = await sampleEvents();
  const processes = events.filter(({ category }) => category === 'process_creation');
  const rows = [
    await measured('rules over all log sources', rules, events),
    await measured('rules on one log source', ofProcesses, processes),
    await measured('rules with texts of their own', await rulesOf(OWN_TEXTS, OWN_TEXTS.length), processes),
    await measured('rules with words and expressions', await rulesOf(MIXED_TEXTS, MIXED_TEXTS.length), processes),
  ];
  return { title: 'Detection: events a second of processor time', rows, ok: rows.every(({ ok }) => ok) };
}

/** In the form of most rules of SigmaHQ: a program, and options of its command line. */
const OWN_TEXTS = Array.from(
  { length: 3_000 },
  (_, n) => `title: Tool ${n}
logsource: { category: process_creation, product: windows }
detection:
  selection_image: { Image|endswith: ['\\tool${n}.exe', '\\tool${n}-x64.exe'] }
  selection_option: { CommandLine|contains: [' /option${n} ', ' -o${n} '] }
  filter: { ParentImage|startswith: 'C:\\Program Files\\Tool${n}\\' }
  condition: 1 of selection_* and not filter
`,
);

/** A thousand emojis, as four rules of SigmaHQ have them. */
const SIGNS = JSON.stringify(Array.from({ length: 1_000 }, (_, n) => String.fromCodePoint(0x1f300 + n)));

/** About as many as of SigmaHQ's: one in forty has words, one in forty an expression, and one in a thousand very many short texts. */
const MIXED_TEXTS = OWN_TEXTS.map((text, n) => {
  if (n % 40 > 1 && n % 1_000 !== 2) return text;
  const words = n % 1_000 === 2 ? `{ CommandLine|contains: ${SIGNS} }` : `['::tool${n}', 'tool${n}_']`;
  const search = n % 40 === 1 ? `{ CommandLine|re: '\\s/tool${n}\\s+(on|off)' }` : words;
  return text.replace(/detection:[\s\S]*/, `detection:\n  selection: ${search}\n  condition: selection\n`);
});

const rulesOf = (texts: readonly string[], length = RULES): Promise<ReadyRule[]> =>
  Promise.all(
    Array.from({ length }, async (_, n) => {
      const content = texts[n % texts.length] ?? '';
      return readyRule({ ...(await readContent(content)), id: newId(), version: 1, text: await readSigma(content) });
    }),
  );

async function sampleEvents(): Promise<SiemEvent[]> {
  const lines = Object.values(STARTER_SAMPLES).flatMap(({ silent }) => silent.slice(0, 2));
  const times = { receivedAt: '2026-11-12T10:10:00.000Z', oldest: '2026-01-01T00:00:00.000Z' };
  const { events } = await inTurns(readEvents(lines.join('\n'), { sourceId: newId(), format: 'auto', ...times }));
  return events;
}

async function measured(operation: string, rules: readonly ReadyRule[], samples: readonly SiemEvent[]) {
  const ruleset = rulesetOf(rules, indexRules);
  const events = Array.from({ length: EVENTS }, (_, n) => ({ ...(samples[n % samples.length] as SiemEvent) }));
  await sight(ruleset, events);
  const before = process.cpuUsage().user;
  const matches = (await sight(ruleset, events)).events;
  const eventsASecond = Math.round(EVENTS / ((process.cpuUsage().user - before) / 1e6));
  const triedPerEvent = Math.round(
    events.reduce((sum, one) => sum + ruleset.partsFor(eventTexts(one)).length, 0) / EVENTS,
  );
  const ok = eventsASecond >= LEAST_EVENTS_A_SECOND;
  return { operation, rules: rules.length, triedPerEvent, matches, eventsASecond, ok };
}
