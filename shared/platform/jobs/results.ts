import type * as z from 'zod';
import { strictest } from '../http/validate.ts';
import type { Connections } from '../runtime/connections.ts';
import type { Operation } from './operations.ts';

/** The results of some operations, for the API reference. */
export type Results = Partial<Record<Operation, z.ZodType>>;

type Ended = { operation: string; result?: unknown };

/** In tests, a result that does not fit its declaration is an error. @throws where it does not */
export function checkResult(
  { settings }: Pick<Connections, 'settings'>,
  results: Results,
  { operation, result }: Ended,
) {
  if (settings.CHECK_RESPONSES === '0' || result === undefined) return;
  const declared = results[operation as Operation];
  if (!declared) throw new Error(`the operation ${operation} declares no result`);
  const { error } = strictest(declared).safeParse(JSON.parse(JSON.stringify(result)));
  if (error) throw new Error(`the result of ${operation} does not fit its schema: ${error.message}`);
}
