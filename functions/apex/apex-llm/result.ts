import { CompletionOutcome, expiryOf, getSealed } from '#shared/apex/completion.ts';
import { Answer, type ApexLLMCompletionResult, COMPLETION_ERRORS } from '#shared/apex/llm-completion.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The result of a completion, from its task row and its sealed answer. */
export async function resultOf({ connections, table }: Context, task: TaskRow): Promise<ApexLLMCompletionResult> {
  const { id, status } = task;
  const base = { requestID: id, expiresAt: expiryOf(task) };
  if (status === 'queued' || status === 'running') return { ...base, status };
  const { tokensLeft, retryable } = CompletionOutcome.parse(task.result ?? {});
  const budget = tokensLeft === undefined ? {} : { budget: { tokensLeft } };
  const sealed = status === 'succeeded' ? await getSealed(connections, answerOf(table, id)) : undefined;
  if (sealed !== undefined) return { ...base, status: 'succeeded', ...Answer.parse(sealed), ...budget };
  const { code: reported = '', message = 'The answer was removed.' } = task.error ?? {};
  // an unknown code means that the service itself failed; the interface has no better code for it
  const code = COMPLETION_ERRORS.find((known) => known === reported) ?? 'provider_unavailable';
  return { ...base, status: 'failed', error: { code, message, retryable: retryable ?? true }, ...budget };
}

const answerOf = ({ organizationId }: Table, id: string) => ({ organizationId, id, part: 'answer' as const });
