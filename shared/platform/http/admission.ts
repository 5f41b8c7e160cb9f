import type { MiddlewareObj } from '@middy/core';
import { actorOf } from '../auth/actor.ts';
import { authenticate } from '../auth/authenticate.ts';
import { tellEvent } from '../auth/events.ts';
import { isAllowed, refusalOf } from '../auth/permissions.ts';
import { openConnections } from '../runtime/connections.ts';
import { ApiError } from '../runtime/errors.ts';
import { openTable } from '../table/table.ts';
import { countRequest } from './fair-use.ts';
import { causeOf, type Incoming, type Result } from './incoming.ts';
import { useOf } from './route.ts';

const closedToParts = ({ name, route: { method, path, closedToPart } }: Incoming['match']): string =>
  `Your role is for a part of the organization, and ${name} (${method} ${path}) is not open to it${closedToPart ? `, because ${closedToPart}` : ''}: ask somebody whose role is for the whole organization.`;

/** The step that authenticates the caller, counts the request and applies the access rule of the route, before the body is read. */
export const admission: MiddlewareObj<Incoming, Result> = {
  async before({ event }) {
    const { route } = event.match;
    const { access, dialect } = route;
    if (access === 'public') return;
    const connections = openConnections();
    const { dynamo } = connections;
    const cause = causeOf(event);
    const takesSecrets = dialect === 'scim';
    const caller = await authenticate(connections, event.headers.authorization, { cause, takesSecrets });
    event.caller = caller;
    await countRequest(dynamo, caller.organizationId);
    const author = { ...actorOf(caller), cause };
    if (!isAllowed(caller, access, useOf(route))) {
      const reason = refusalOf(caller, access);
      await tellEvent(dynamo, { organizationId: caller.organizationId, author }, { kind: 'refused', reason });
      throw new ApiError('insufficient_scope', reason);
    }
    const part = 'part' in caller ? caller.part : undefined;
    if (part && !route.inPart) throw new ApiError('insufficient_scope', closedToParts(event.match));
    event.table = openTable(dynamo, caller.organizationId, author, part && { ...part, personId: caller.id });
  },
};
