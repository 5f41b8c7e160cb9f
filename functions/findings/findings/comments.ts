import { FindingComment, findingComments } from '#shared/findings/finding/finding-comment.ts';
import { getFinding } from '#shared/findings/view/find.ts';
import { mentionsIn } from '#shared/people/mentions.ts';
import { assertAuthor } from '#shared/platform/http/author.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { findingRoutes } from './routes.ts';

type Place = { table: Table; params: { id: string; commentId: string } };

/** A comment that its author is about to change. @throws not_found, conflict */
async function ownComment({ table, params }: Place): Promise<FindingComment> {
  const comment = await table.get(findingComments, params.commentId, true);
  if (!(await placesOf(table, params.id)).includes(comment.findingId))
    throw notFound('finding comment', params.commentId);
  assertAuthor(table, comment);
  return comment;
}

/** A finding, and the findings that were merged into it. @throws not_found */
async function placesOf(table: Table, findingId: string): Promise<string[]> {
  const { finding } = await getFinding(table, findingId, true);
  return [finding.id, ...(finding.mergedFrom ?? []).map(({ id }) => id)];
}

type Names = 'listFindingComments' | 'createFindingComment' | 'updateFindingComment' | 'deleteFindingComment';

export const commentHandlers: Pick<Handlers<typeof findingRoutes>, Names> = {
  async listFindingComments({ table, params, query }) {
    return table.list(findingComments, { ...query, where: { finding: await placesOf(table, params.id) } });
  },

  async createFindingComment({ table, params, body }) {
    const { finding } = await getFinding(table, params.id, true);
    const { mentions, unresolved } = await mentionsIn(table, body.text);
    return { ...(await table.create(findingComments, { ...body, mentions, findingId: finding.id })), unresolved };
  },

  async updateFindingComment(call: Call<typeof findingRoutes.updateFindingComment>) {
    const comment = await ownComment(call);
    const changes = mergePatch(FindingComment, comment, { patch: call.body, ifMatch: call.ifMatch });
    const { mentions, unresolved } = await mentionsIn(call.table, { ...comment, ...changes }.text);
    const next = changes ? await call.table.update(findingComments, comment, { ...changes, mentions }) : comment;
    return { ...next, unresolved };
  },

  deleteFindingComment: async (call) => call.table.delete(findingComments, await ownComment(call)),
};
