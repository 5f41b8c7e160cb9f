import type { Actor } from '../table/actor.ts';
import type { Caller } from './permissions.ts';

/** The caller as records show it in `createdBy` and in histories. A service account acts as a system. */
export function actorOf({ kind, id, name }: Caller): Actor {
  return { kind: kind === 'service_account' ? 'system' : kind, id, name };
}
