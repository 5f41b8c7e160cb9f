import { setTimeout as sleep } from 'node:timers/promises';
import { reserveTokens, settleTokens, tokensLeft } from '#shared/apex/budget.ts';
import { CompletionInput, getSealed, hasExpired, putSealed, removeSealed } from '#shared/apex/completion.ts';
import { Answer, type CompletionErrorCode, type ModelAlias, Prompt } from '#shared/apex/llm-completion.ts';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { checkResult } from '#shared/platform/jobs/results.ts';
import { type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { elapsedMs, inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Settings } from '#shared/platform/runtime/env.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { random } from '#shared/platform/runtime/random.ts';
import { isUnsetSecret } from '#shared/platform/runtime/secrets.ts';
import { bedrock } from './bedrock.ts';
import { openAi } from './openai.ts';
import { checkFormat, type Provider, ProviderError } from './provider.ts';
import { results } from './results.ts';

/** Time to store the answer after the last call. */
const MARGIN_SECONDS = 15;
/** Time limit of a call: long answers of large models take a minute. */
const CALL_SECONDS = 90;

/**
 * Does one completion. The answer is stored first, so that a repeated message does not call the provider again.
 * Reserving and settling the budget may be repeated.
 */
export async function complete(work: Work): Promise<Record<string, unknown>> {
  const current = await getSealed(work.connections, answerAt(work));
  if (current !== undefined) return settled(work, Answer.parse(current), 0);
  assertAlone(work.task);
  const sealed = await getSealed(work.connections, promptAt(work));
  if (sealed === undefined || hasExpired(work.task))
    return fail(work, 'timeout', 'The completion waited too long: send the request again.');
  const prompt = Prompt.parse(sealed);
  const configured = configuredProvider(work.connections);
  if (!configured)
    return fail(work, 'provider_unavailable', 'This deployment has no provider of completions (LLM_MODEL).', false);
  return ask(work, prompt, configured);
}

/**
 * Defers a second message of the same completion (SQS may deliver a message twice), so that the provider is not called
 * twice. The message returns after the visibility timeout, when the first one is done.
 */
function assertAlone({ id, startedAt = '', updatedAt }: TaskRow): void {
  if (startedAt !== updatedAt && startedAt > inSeconds(-jobs.completions.timeoutSeconds))
    throw new Error(`completion ${id} is being worked by another message`);
}

async function ask(work: Work, prompt: Prompt, { provider, modelOf }: Configured): Promise<Record<string, unknown>> {
  let started = elapsedMs();
  const bounds = {
    timeoutSeconds: Number(work.connections.settings.LLM_TIMEOUT_SECONDS ?? CALL_SECONDS),
    until: started + (jobs.completions.timeoutSeconds - MARGIN_SECONDS) * 1000,
  };
  const call = async (signal: AbortSignal) => {
    started = elapsedMs();
    return checkFormat(prompt, await provider({ prompt, model: modelOf(prompt.model), signal }));
  };
  try {
    const answer = await tryCall((signal) => counted(work, prompt, () => call(signal)), bounds);
    await putSealed(work.connections, answerAt(work), answer);
    return await settled(work, answer, Math.round((elapsedMs() - started) / 1000));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return fail(work, error.code, error.message, error.retryable);
  }
}

/**
 * Does one attempt within the budgets: reserves its maximum before, and books the cost of a rejected answer after, so
 * that retries cannot use more than the limit. Books the maximum for an attempt with an unknown cost.
 */
async function counted(work: Work, prompt: Prompt, call: () => Promise<Answer>): Promise<Answer> {
  const { taskId } = CompletionInput.parse(work.task.input);
  const most = mostTokens(prompt);
  const started = elapsedMs();
  if (!(await reserveTokens(work.table, { id: work.task.id, taskId }, most.inputTokens + most.outputTokens)))
    throw new ProviderError('budget_exhausted', EXHAUSTED, { final: true });
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const cost = error.cost === 'unknown' ? most : (error.cost ?? NOTHING);
    await settleTokens(work.table, work.task.id, { ...cost, seconds: (elapsedMs() - started) / 1000 });
    throw error;
  }
}

const EXHAUSTED = 'The task, its campaign or the organization has too few tokens left.';
const NOTHING = { inputTokens: 0, outputTokens: 0 };

/** Books the usage, and removes the prompt, which is not needed any more. */
async function settled(work: Work, { usage }: Answer, seconds: number): Promise<Record<string, unknown>> {
  await settleTokens(work.table, work.task.id, { ...usage, seconds });
  await removeSealed(work.connections, promptAt(work));
  return { tokensLeft: await remainingTokens(work) };
}

/** Fails a completion. This releases also the reservation of an earlier delivery that broke off. */
async function fail(work: Work, code: CompletionErrorCode, message: string, retryable = true): Promise<never> {
  await settleTokens(work.table, work.task.id, { ...NOTHING, seconds: 0 });
  const result = { tokensLeft: await remainingTokens(work), retryable };
  checkResult(work.connections, results, { ...work.task, result });
  await work.table.rows(taskRows).set({ id: work.task.id }, { result });
  await removeSealed(work.connections, promptAt(work));
  throw new TaskFailure(code, message);
}

/** The remaining tokens; 0 for a deleted task. */
async function remainingTokens({ table, task }: Work): Promise<number> {
  try {
    return await tokensLeft(table, CompletionInput.parse(task.input).taskId);
  } catch (error) {
    if (error instanceof ApiError) return 0;
    throw error;
  }
}

/**
 * The maximum usage of a call: the limit of the answer and the size of the prompt. A token has about four bytes in
 * English and three in other texts; two are assumed, and the real usage is booked later. An image has about 1,600
 * tokens.
 */
function mostTokens({ messages, tools, responseFormat, maxTokens }: Prompt): Answer['usage'] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const images = parts.filter(({ type }) => type === 'image').length;
  const texts = messages.map(({ content, toolCalls }) => [
    typeof content === 'string' ? content : content.filter(({ type }) => type === 'text'),
    toolCalls,
  ]);
  const bytes = Buffer.byteLength(JSON.stringify([texts, tools, responseFormat]), 'utf8');
  return { inputTokens: Math.ceil(bytes / 2) + images * 1600, outputTokens: maxTokens };
}

const textOf = ({ table, task }: Work) => ({ organizationId: table.organizationId, id: task.id });
const promptAt = (work: Work) => ({ ...textOf(work), part: 'prompt' as const });
const answerAt = (work: Work) => ({ ...textOf(work), part: 'answer' as const });

type Configured = { provider: Provider; modelOf: (alias: ModelAlias) => string };

/** The provider of this deployment; undefined when none is configured. */
function configuredProvider({ settings, secrets }: Pick<Connections, 'settings' | 'secrets'>): Configured | undefined {
  const { LLM_MODEL, LLM_MODEL_FAST = LLM_MODEL, LLM_MODEL_STRONG = LLM_MODEL, LLM_BASE_URL } = settings;
  if (LLM_MODEL === undefined) return undefined;
  const models = { default: LLM_MODEL, fast: LLM_MODEL_FAST ?? LLM_MODEL, strong: LLM_MODEL_STRONG ?? LLM_MODEL };
  const apiKey = () => keyOf(settings, secrets);
  const provider = LLM_BASE_URL === undefined ? bedrock(settings) : openAi(LLM_BASE_URL, apiKey);
  return { provider, modelOf: (alias) => models[alias] };
}

async function keyOf({ LLM_SECRET }: Settings, secrets: Connections['secrets']): Promise<string | undefined> {
  if (LLM_SECRET === undefined) return undefined;
  try {
    return await secrets.get(LLM_SECRET);
  } catch (error) {
    if (!isUnsetSecret(error)) throw error;
    throw new ProviderError('provider_unavailable', "The provider's key was not set (LLM_SECRET).", { final: true });
  }
}

/** A first try and two more. */
const TRIES = 3;
const FIRST_PAUSE_MS = 500;
/** For a longer pause the worker gives up, and the appliance asks again. */
const LONGEST_PAUSE_MS = 20_000;

type Bounds = {
  timeoutSeconds: number;
  /** `elapsedMs()` at which the worker has to be done. */
  until: number;
};

/** Retries a call with growing pauses, within the worker's time. @throws ProviderError of the last try */
async function tryCall(call: (signal: AbortSignal) => Promise<Answer>, bounds: Bounds): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const left = bounds.until - elapsedMs();
    try {
      return await call(AbortSignal.timeout(Math.max(1, Math.min(bounds.timeoutSeconds * 1000, left))));
    } catch (error) {
      if (!(error instanceof ProviderError) || !error.retryable || attempt === TRIES) throw error;
      const pause = pauseBefore(attempt, error.retryAfterSeconds);
      if (pause > LONGEST_PAUSE_MS || elapsedMs() + pause >= bounds.until) throw error;
      await sleep(pause);
    }
  }
}

/** The pause doubles each time, with jitter, and is never shorter than the provider asks for. */
const pauseBefore = (attempt: number, retryAfterSeconds = 0): number =>
  Math.max(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.75 + random() / 2), retryAfterSeconds * 1000);
