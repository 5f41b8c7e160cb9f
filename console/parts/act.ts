import { answerOf, type Refused } from '../api/client.ts';
import { askAgain, refusedBy } from '../api/question.ts';
import { notify } from './toasts.tsx';

type Written<T> = { done: string | ((record: T) => string); changed?: () => void; put?: (record: T) => void };

/** Writes a record, shows what the service made of it, and says so. A refusal shows the message of the service. */
export async function act<T>(
  request: Parameters<typeof answerOf<T>>[0],
  { done, changed, put }: Written<T>,
): Promise<Refused | undefined> {
  try {
    const record = await answerOf(request);
    put?.(record);
    notify(typeof done === 'string' ? done : done(record));
    return undefined;
  } catch (error) {
    const refused = refusedBy(error);
    notify(refused.message, { isError: true });
    return refused;
  } finally {
    changed?.();
    askAgain();
  }
}
