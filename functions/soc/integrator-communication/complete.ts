import * as z from 'zod';
import { truncatedText } from '#shared/platform/http/bounded-field.ts';
import { JsonFields } from '#shared/platform/http/json-fields.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { type Caller, type CompletionRules, completeTasks } from '#shared/scanning/leases/complete.ts';
import { moveAction, type ResponseTypes, responseLeases } from '#shared/soc/incidents/response-actions.ts';

/** How a response action ended. */
const ResponseOutcome = objectNamed('ResponseOutcome', {
  taskId: z.string(),
  outcome: z.enum(['completed', 'failed', 'cancelled']),
  summary: truncatedText(2000).nullish(),
  output: JsonFields.nullish(),
  error: z.object({ code: truncatedText(60), message: truncatedText(1000) }).optional(),
});
type ResponseOutcome = z.infer<typeof ResponseOutcome>;

const responseCompletions: CompletionRules<ResponseTypes & { result: ResponseOutcome }> = {
  ...responseLeases,
  operation: 'complete_response_action',
  result: ResponseOutcome,
  accept: async () => ({ ingestTaskIds: [] }),
  async finish(step, { task, result: { summary = null, output = null } }) {
    const result = { summary, output };
    return moveAction(step, task, { verb: 'succeed', result, finishedAt: now(), text: summary ?? undefined });
  },
  unfinished: {
    failed: { code: 'action_failed', message: 'The integrator could not complete the action.' },
    cancelled: { code: 'action_cancelled', message: 'The integrator stopped the action.' },
  },
};

/** Takes the results of an integrator, each result separately. */
export const completeAsIntegrator = (caller: Caller, results: readonly unknown[]) =>
  completeTasks(responseCompletions, caller, results);
