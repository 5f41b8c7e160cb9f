import { ApiError } from '#shared/runtime/errors.ts';

const ATTEMPTS = 10;

/** Does a step again that reads anew what it is to write, when someone else wrote the same findings in between. */
export async function whileOthersWrite<T>(step: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step(attempt);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'conflict') || attempt === ATTEMPTS) throw error;
    }
  }
}
