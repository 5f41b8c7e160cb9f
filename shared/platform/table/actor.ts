/** The maker of a change; every record keeps the actor that created it. */
export type Actor = { kind: 'user' | 'api_key' | 'machine' | 'system'; id: string; name: string };

export const systemActor: Actor = { kind: 'system', id: 'system', name: 'system' };

/** The request, the task or the timer that causes a change. */
export type Cause = { operation: string; requestId?: string; taskId?: string; ip?: string };

/** An actor with the cause of its changes: the change feed has both. */
export type Author = Actor & { cause?: Cause };
