import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import type { Service } from '../reference-machine/service.ts';
import { type ApexTask, Assessment, CompletionAccepted, CompletionResult, FindingsAnswer } from './answers.ts';

/** The progress of a running task, which the session reports, and the switches by which commands stop or pause it. */
export type Running = {
  task: ApexTask;
  stop: AbortController;
  isPaused: boolean;
  progress: number;
  step: string;
  done: Promise<void>;
};

type Outcome = {
  outcome: 'completed' | 'failed' | 'cancelled';
  summary?: string;
  error?: { code: string; message: string };
};

const base = '/api/v1/apex_communication';

/** Asks the model for weaknesses of the targets and reports its answers. The appliance touches no target itself. */
export async function assess(service: Service, running: Running): Promise<Outcome> {
  const { task, stop } = running;
  try {
    const answer = await ask(service, running);
    if (answer.error) return { outcome: 'failed', error: answer.error };
    const assessment = Assessment.safeParse(parse(answer.message?.content));
    if (!assessment.success) return failed('unusable_answer', 'the model did not answer as it was asked to');
    await standStill(running);
    Object.assign(running, { progress: 0.8, step: 'reporting' });
    if (assessment.data.findings.length > 0)
      await report(service, task, { assessment: assessment.data, signal: stop.signal });
    return { outcome: 'completed', summary: assessment.data.summary };
  } catch (error) {
    if (stop.signal.aborted) return { outcome: 'cancelled' };
    return failed('appliance_error', error instanceof Error ? error.message : String(error));
  }
}

const failed = (code: string, message: string): Outcome => ({ outcome: 'failed', error: { code, message } });

/** Submits a completion and waits for its result without a time limit. */
async function ask(service: Service, running: Running): Promise<z.infer<typeof CompletionResult>> {
  const { task, stop } = running;
  await standStill(running);
  Object.assign(running, { progress: 0.2, step: 'asking the model' });
  const body = { taskId: task.id, messages: messagesFor(task), responseFormat: { jsonSchema } };
  const accepted = await service.post(`${base}/llm/completions`, body, stop.signal);
  const { requestID } = CompletionAccepted.parse(accepted);
  for (;;) {
    const path = `${base}/llm/completions/${encodeURIComponent(requestID)}?waitSeconds=20`;
    const result = CompletionResult.parse(await service.get(path, stop.signal));
    if (result.status === 'succeeded' || result.status === 'failed') return result;
  }
}

const jsonSchema = {
  type: 'object',
  required: ['summary', 'findings'],
  properties: {
    summary: { type: 'string' },
    findings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'title', 'severity'],
        properties: {
          id: { type: 'string', description: 'the same problem has the same id each time' },
          title: { type: 'string' },
          severity: { enum: ['critical', 'high', 'medium', 'low', 'info'] },
          description: { type: 'string' },
          target: { type: 'string', description: 'the value of one of the targets; of a range, the address in it' },
        },
      },
    },
  },
};

const messagesFor = ({ type, objective, targets, exclusions }: ApexTask) => [
  {
    role: 'system',
    content:
      'You plan an authorised security test. Judge the targets by what you are told alone; never go outside them. ' +
      'Answer with JSON of the given schema.',
  },
  { role: 'user', content: JSON.stringify({ task: type, objective, targets, exclusions }) },
];

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

type Reporting = { assessment: z.infer<typeof Assessment>; signal: AbortSignal };

/** The service checks each finding and refuses those outside the task's targets. */
async function report(service: Service, task: ApexTask, { assessment, signal }: Reporting): Promise<void> {
  const findings = assessment.findings.map(({ id, title, severity, description, target }) => {
    const named = targetOf(task, target);
    return { externalId: id, title, severity, description, confidence: 'tentative', target: named };
  });
  const answer = await service.post(`${base}/findings`, { taskId: task.id, findings }, signal);
  for (const { externalId, accepted, message } of FindingsAnswer.parse(answer).results)
    if (!accepted) console.error(`task ${task.id}: the finding ${externalId} was refused: ${message}`);
}

/** A target of the task, or an address, which may be in one of its ranges. */
function targetOf({ targets }: ApexTask, named = ''): ApexTask['targets'][number] | undefined {
  const given = targets.find(({ value }) => value === named);
  return given ?? (isIP(named) ? { type: 'host', value: named } : targets[0]);
}

/** Waits while the task is paused. @throws when the task is stopped */
async function standStill(running: Running): Promise<void> {
  while (running.isPaused) await sleep(250, undefined, { signal: running.stop.signal });
  running.stop.signal.throwIfAborted();
}
