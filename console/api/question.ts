import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Refused } from './client.ts';

type Answered<T> = { data?: T; error?: Refused };

/** Mounted questions ask again after a change that this page made. */
const asking = new Set<() => void>();
export const askAgain = (): void => {
  for (const ask of asking) ask();
};

/** A list that is no question is read again with them. */
export function useAskedAgain(ask: () => void): void {
  useEffect(() => {
    asking.add(ask);
    return () => {
      asking.delete(ask);
    };
  }, [ask]);
}

const kept: Map<string, unknown>[] = [];
/** Nothing of a person stays when the person signs out. */
export const forgetAnswers = (): void => {
  for (const answers of kept) answers.clear();
};

const MOST_KEPT = 200;

/**
 * A question to the service, as a hook. A page that is opened again shows the last answer at once, while it asks anew. An
 * answer that comes after the next question is dropped.
 */
export function question<T>(load: (about: string) => Promise<T>) {
  const answers = new Map<string, T>();
  kept.push(answers);
  const make = (about: string) => {
    const known = answers.get(about);
    const answer = signal<Answered<T>>(known === undefined ? {} : { data: known });
    let last = 0;
    const put = (data: T) => {
      if (answers.size >= MOST_KEPT) answers.clear();
      answers.set(about, data);
      answer.value = { data };
    };
    const ask = () => {
      last += 1;
      const own = last;
      load(about).then(
        (data) => own === last && put(data),
        (error: unknown) => {
          if (own === last) answer.value = { ...answer.value, error: refusedBy(error) };
        },
      );
    };
    const drop = () => {
      last += 1;
    };
    return { answer, ask, put, drop };
  };
  return (about: string) => {
    const { answer, ask, put, drop } = useMemo(() => make(about), [about]);
    useEffect(() => {
      asking.add(ask);
      ask();
      return () => {
        asking.delete(ask);
        drop();
      };
    }, [ask, drop]);
    return { ...answer.value, ask, put };
  };
}

export const refusedBy = (error: unknown): Refused =>
  error instanceof Refused ? error : new Refused({}, error instanceof Error ? error.message : String(error));
