import { type Client, Refused } from '../client.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../errors.ts';

/** Asks as a person. No scope of a key is the way to notifications. */
export async function ofPerson<T>(context: Context, ask: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await ask(await context.client());
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'insufficient_scope') throw error;
    const { url } = await context.access();
    const elsewhere = context.env.EXPOSURE_KEY ? ' and unset EXPOSURE_KEY, which wins over profiles' : '';
    const next = `Sign in as a person with "exposure login --url ${url}"${elsewhere}.`;
    throw new Failure(EXIT.credentials, 'A key has no inbox: notifications are for people.', next);
  }
}
