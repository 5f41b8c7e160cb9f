import { FindingComment, findingComments } from '#shared/entities/finding-comment.ts';
import { getFinding } from '#shared/findings/find.ts';
import { mergePatch } from '#shared/http/records.ts';
import type { Call, Handlers } from '#shared/http/route.ts';
import { conflict, notFound } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';
import type { findingRoutes } from './routes.ts';

type Place = { table: Table; params: { id: string; commentId: string } };

/** A comment that its author is about to change. @throws not_found, conflict */
async function ownComment({ table, params }: Place): Promise<FindingComment> {
  const comment = await table.get(findingComments, params.commentId, true);
  if (comment.findingId !== params.id) throw notFound('finding comment', params.commentId);
  if (comment.createdBy.id !== table.actor.id) throw conflict('A comment is changed and deleted by its author alone.');
  return comment;
}

type Names = 'listFindingComments' | 'createFindingComment' | 'updateFindingComment' | 'deleteFindingComment';

export const commentHandlers: Pick<Handlers<typeof findingRoutes>, Names> = {
  async listFindingComments({ table, params, query }) {
    await getFinding(table, params.id);
    return table.list(findingComments, { ...query, parent: { finding: params.id } });
  },

  async createFindingComment({ table, params, body }) {
    const { finding } = await getFinding(table, params.id, true);
    return table.create(findingComments, { ...body, findingId: finding.id });
  },

  async updateFindingComment(call: Call<typeof findingRoutes.updateFindingComment>) {
    const comment = await ownComment(call);
    const changes = mergePatch(FindingComment, comment, { patch: call.body, ifMatch: call.ifMatch });
    return changes ? call.table.update(findingComments, comment, changes) : comment;
  },

  deleteFindingComment: async (call) => call.table.delete(findingComments, await ownComment(call)),
};
