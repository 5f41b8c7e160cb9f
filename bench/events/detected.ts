import { fixedCalculation } from '../fixed-calculation.ts';
import { type System, send, startSystem, uploaded } from '../ingest/client.ts';
import type { PlainTable } from '../report.ts';
import { MATCHED, MATCHING, manyRules, mixedBatch } from './many-rules.ts';
import { BATCH, collectorToken, sendAt, sendBatch, untilCounted } from './sender.ts';

type Asked = { perSecond: number; seconds: number; rules: number };

/** The seconds that the last event may be behind. */
const BEHIND = 5;

/**
 * Sends events of many log sources at a rate to an organization with thousands of rules, until all are counted and on alerts.
 * Then a search must find each event. The workers run beside the server, as in the system of `npm start`. The batches are
 * made beforehand: the sender shares the processors with the service.
 */
export async function benchDetected({ perSecond, seconds, rules }: Asked): Promise<PlainTable> {
  const system = await startSystem({ BENCH_WORKERS_BESIDE: '1' });
  try {
    const token = await collectorToken(system);
    const enabled = await importRules(system, rules);
    const count = (perSecond * seconds) / BATCH;
    const batches = Array.from({ length: count }, (_, n) => mixedBatch(`rate-${n}`));
    // the first batch loads the rules
    await sendBatch(system, token, mixedBatch('first'));
    await untilAlerted(system, MATCHING);
    const { started } = await sendAt(
      { perSecond, seconds, failing: 1 },
      (batch) => sendBatch(system, token, batch),
      (n) => batches[n] ?? mixedBatch(`rate-${n}`),
    );
    const sent = count * BATCH;
    await untilCounted(system, sent + BATCH);
    await untilAlerted(system, (count + 1) * MATCHING);
    const took = (performance.now() - started) / 1000;
    const found = (await foundEvents(system)) - BATCH;
    // a machine that is shared has half of its speed at times
    const unit = fixedCalculation();
    const ok = found === sent && took <= seconds + BEHIND;
    const row = {
      operation: `${perSecond} events a second`,
      rules: enabled,
      sent,
      found,
      counted: sent,
      'on alerts': count * MATCHING,
      seconds: Math.round(took * 10) / 10,
      'fixed calculation s': unit.toFixed(3),
      ok,
    };
    return { title: 'Events that are stored, tried with all rules and counted', rows: [row], ok };
  } finally {
    await system.stop();
  }
}

/** @returns the number of enabled rules, the starter rules too */
async function importRules(system: System, count: number): Promise<number> {
  const uploadId = await uploaded(system, Buffer.from(manyRules(count).join('---\n')));
  const { taskId } = await send(system, 'POST', '/api/v1/detection/rules/packs', { uploadId, enabled: true });
  for (;;) {
    const task = await send(system, 'GET', `/api/v1/tasks/${taskId}?waitSeconds=20`);
    const { created } = (task.result ?? {}) as { created?: number };
    if (created === count) break;
    if (task.finishedAt) throw new Error(`${created} of ${count} rules are made: ${JSON.stringify(task)}`);
  }
  const { totalCount } = await send(system, 'GET', '/api/v1/detection/rules?enabled=true&paginateSize=1');
  return Number(totalCount);
}

/** Waits until the alerts of the rule that some events match show them all. */
async function untilAlerted(system: System, events: number): Promise<void> {
  for (;;) {
    const { data } = await send(system, 'GET', '/api/v1/soc/alerts?paginateSize=500');
    const alerts = data as { title: string; eventCount: number }[];
    const other = alerts.find(({ title }) => title !== `Tool ${MATCHED}`);
    if (other) throw new Error(`a rule matched that should not: ${other.title}`);
    const sum = alerts.reduce((total, { eventCount }) => total + eventCount, 0);
    if (sum === events) return;
    if (sum > events) throw new Error(`${sum} events stand on alerts, and ${events} match`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The events that a search of the last hour reads. */
async function foundEvents(system: System): Promise<number> {
  let found = 0;
  for (let cursor: unknown = ''; cursor !== null; ) {
    const more = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await send(system, 'GET', `/api/v1/siem/events/values?field=host${more}`);
    found += Number(answer.events);
    cursor = answer.cursor;
  }
  return found;
}
