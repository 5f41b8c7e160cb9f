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

const forgotten = new Set<() => void>();
/** Nothing of a person stays when the person signs out. */
export const forgetAnswers = (): void => {
  for (const forget of forgotten) forget();
};
export const atSignOut = (forget: () => void): void => void forgotten.add(forget);

const MOST_KEPT = 200;

/** The last answers to a question, and those that were asked for before their page opened. */
export function makeMemory<T>(load: (about: string) => Promise<T>, mostKept = MOST_KEPT) {
  const answers = new Map<string, T>();
  const early = new Map<string, Promise<T>>();
  const forget = () => {
    answers.clear();
    early.clear();
  };
  atSignOut(forget);
  return {
    forget,
    last: (about: string): T | undefined => answers.get(about),
    keep(about: string, answer: T): void {
      if (answers.size >= mostKept) answers.clear();
      answers.set(about, answer);
    },
    /** Asks for a page that is probably opened next. */
    ahead(about: string): void {
      if (early.has(about)) return;
      const asked = load(about);
      early.set(about, asked);
      const drop = () => early.get(about) === asked && early.delete(about);
      setTimeout(drop, EARLY_MS);
      asked.catch(drop);
    },
    /** The answer that was asked for ahead, or a new one. */
    take(about: string): Promise<T> {
      const asked = early.get(about) ?? load(about);
      early.delete(about);
      return asked;
    },
  };
}

export type Memory<T> = ReturnType<typeof makeMemory<T>>;

/** An answer from ahead is as good as a new one for so long. */
const EARLY_MS = 3_000;

/**
 * A question to the service, as a hook. A page that is opened again shows the last answer at once, while it asks anew. An
 * answer that comes after the next question is dropped.
 */
export function question<T>(load: (about: string) => Promise<T>) {
  const memory = makeMemory(load);
  const make = (about: string) => {
    const known = memory.last(about);
    const answer = signal<Answered<T>>(known === undefined ? {} : { data: known });
    let last = 0;
    const put = (data: T) => {
      memory.keep(about, data);
      answer.value = { data };
    };
    const ask = () => {
      last += 1;
      const own = last;
      memory.take(about).then(
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
  const use = (about: string) => {
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
  return Object.assign(use, { ahead: memory.ahead });
}

export const refusedBy = (error: unknown): Refused =>
  error instanceof Refused ? error : new Refused({}, error instanceof Error ? error.message : String(error));
