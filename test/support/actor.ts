import type { Actor } from '#shared/platform/table/actor.ts';

/** A caller that nothing is known of but its id. */
export const actor = (id = 'test'): Actor => ({ kind: 'user', id, name: 'test' });
