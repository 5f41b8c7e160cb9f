import type { ManyRequest } from '#shared/findings/bulk/queue.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Change } from './routes.ts';

export type Asking = Context & { caller: Caller };
export type Of<O extends Change['operation']> = Extract<Change, { operation: O }>;

/** The task that makes each change. */
export type Tasks = { [O in Change['operation']]: (asking: Asking, change: Of<O>) => Promise<ManyRequest> };
