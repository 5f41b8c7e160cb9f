import { holdersOf, isSecondPerson } from '#shared/credentials/second-person.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { withoutPart } from '#shared/platform/table/table.ts';
import { entryWrite } from '#shared/soc/alerts/timeline.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { integrators } from '#shared/soc/incidents/integrator.ts';
import {
  type ResponseAction,
  responseActions,
  type StoredResponseAction,
} from '#shared/soc/incidents/response-action.ts';
import { deadlineTimer, moveAction } from '#shared/soc/incidents/response-actions.ts';
import type { socResponseActionRoutes } from './routes.ts';
import { placedTarget } from './target.ts';

type Routes = typeof socResponseActionRoutes;

const view = ({
  attempt: _attempt,
  cancelRequestedAt: _asked,
  assetId: _asset,
  common: _common,
  ...action
}: StoredResponseAction): ResponseAction => action;

async function create({ table, params, body }: Call<Routes['createResponseAction']>): Promise<StoredResponseAction> {
  const { integratorId } = body;
  const [{ id: incidentId }, integrator, place] = await Promise.all([
    table.get(incidents, params.id, true),
    integratorId ? withoutPart(table).find(integrators, integratorId, true) : undefined,
    placedTarget(table, body.target),
  ]);
  if (integratorId && !integrator) throw invalid('integratorId', 'must be the id of an integrator');
  const [id = ''] = await table.reserve(responseActions, 1);
  const undecided = { decidedBy: null, decidedAt: null, decisionReason: null, deadlineAt: null, startedAt: null };
  const action = table.stamp<StoredResponseAction>({
    ...body,
    ...undecided,
    ...place,
    id,
    incidentId,
    finishedAt: null,
    result: null,
    error: null,
    status: 'awaiting_approval',
    attempt: 0,
    cancelRequestedAt: null,
  });
  const batch = table.batch();
  const statusChange = { status: { from: null, to: action.status } };
  batch.create(responseActions, action);
  batch.write(
    entryWrite(table, incidentId, { at: now(), kind: 'response_action', responseActionId: id, changes: statusChange }),
  );
  await batch.commit();
  return action;
}

type Deciding = Call<Routes['approveResponseAction']> & { verb: 'approve' | 'deny' };

const decide = ({ table, caller, params, body: { reason }, verb }: Deciding): Promise<StoredResponseAction> =>
  retry(async () => {
    const action = await table.get(responseActions, params.id, true);
    const asked = await holdersOf(table, action.createdBy.id);
    if (verb === 'approve' && !(await isSecondPerson(table, caller, asked)))
      throw conflict('You or your API key requested this action: another person must approve it. You can deny it.');
    const batch = table.batch();
    const at = now();
    const next = moveAction({ table, batch }, action, {
      verb,
      decidedBy: { id: caller.id, name: caller.name },
      decidedAt: at,
      decisionReason: reason,
      text: reason ?? undefined,
      ...(verb === 'approve' ? { deadlineAt: inSeconds(action.timeoutSeconds) } : { finishedAt: at }),
    });
    if (verb === 'approve') batch.write(deadlineTimer(table.organizationId, next));
    await batch.commit();
    return next;
  });

export const socResponseActionHandlers: Handlers<Routes> = {
  listResponseActions: ({ table, query: { status, incidentId, ...page } }) =>
    showEach(table.list(responseActions, { ...page, parent: { incident: incidentId }, filter: { status } }), view),

  createResponseAction: async (call) => view(await create(call)),

  getResponseAction: async ({ table, params }) => view(await table.get(responseActions, params.id)),

  approveResponseAction: async (call) => view(await decide({ ...call, verb: 'approve' })),

  denyResponseAction: async (call) => view(await decide({ ...call, verb: 'deny' })),
};
