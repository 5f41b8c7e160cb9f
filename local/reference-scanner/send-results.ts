import { endsMachine, Refused, type Service } from '../reference-machine/service.ts';
import { CompletedTasks } from './answers.ts';
import { reportOf } from './send-report.ts';
import type { Pending, State } from './state.ts';

/** Sends finished results. A final refusal is printed and the result deleted; unsent results stay for the next time. */
export async function sendResults(service: Service, state: State, signal: AbortSignal): Promise<void> {
  for (const pending of await state.results()) {
    try {
      if (await sendResult({ service, state, signal }, pending)) await state.forgetResult(pending);
    } catch (error) {
      signal.throwIfAborted();
      if (endsMachine(error)) throw error;
      const isFinal = error instanceof Refused && error.status !== 401;
      const why = error instanceof Error ? error.message : error;
      console.error(`task ${pending.taskId}: its result was ${isFinal ? 'refused' : 'not sent and is kept'}: ${why}`);
      if (isFinal) await state.forgetResult(pending);
    }
  }
}

type Sending = { service: Service; state: State; signal: AbortSignal };

/** Errors that sending again would not change. */
const final = ['not_held', 'not_found', 'validation_failed', 'unsupported_format', 'payload_too_large'];

/** @returns whether the service has accepted or refused the result */
async function sendResult({ service, state, signal }: Sending, pending: Pending): Promise<boolean> {
  const { taskId, result } = pending;
  const reports: object[] = [];
  for (const [n, report] of pending.reports.entries()) {
    const begun = async (uploadId: string) => {
      pending.reports[n] = { ...report, uploadId };
      await state.keepResult(pending);
    };
    reports.push(await reportOf(report, { service, begun, signal }));
  }
  const body = { results: [{ ...result, reports }] };
  const answer = await service.post('/api/v1/scanner_communication/completed_tasks', body, signal);
  const [item] = CompletedTasks.parse(answer).results;
  if (item?.accepted) console.log(`task ${taskId}: ${result.outcome}, sent`);
  else console.error(`task ${taskId}: refused: ${item?.code} ${item?.message ?? ''}`);
  return item?.accepted === true || final.includes(item?.code ?? '');
}
