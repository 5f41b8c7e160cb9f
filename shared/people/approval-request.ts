import * as z from 'zod';
import { Person } from '#shared/credentials/person.ts';
import { hashSecret } from '#shared/platform/auth/token-format.ts';
import { JsonFields } from '#shared/platform/http/json-fields.ts';
import { objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

export const APPROVAL_STATUSES = ['waiting', 'approved', 'refused', 'expired'] as const;

/** A request for an operation that cannot be undone, until a second person sends the same request. */
export const ApprovalRequest = objectNamed('ApprovalRequest', {
  ...recordFields,
  operation: readOnly(z.string().meta({ description: 'the `operationId`', example: 'deleteAsset' })),
  method: readOnly(z.string().meta({ example: 'DELETE' })),
  path: readOnly(z.string().meta({ example: '/api/v1/assets/01a20bb8-3614-798e-8000-000000ad99e2' })),
  query: readOnly(JsonFields),
  body: readOnly(JsonFields),
  status: readOnly(z.enum(APPROVAL_STATUSES)),
  expiresAt: readOnly(Timestamp.meta({ description: 'seven days after the request' })),
  decidedBy: readOnly(Person.nullable().meta({ description: 'who approved or refused the request' })),
  decidedAt: readOnly(Timestamp.nullable()),
  reason: readOnly(z.string().nullable().meta({ description: 'of a refusal' })),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

type Asked = Pick<ApprovalRequest, 'method' | 'path' | 'query' | 'body'>;

/** Two requests are the same if they have the same effect: fields in another order are no difference. */
export const sameRequest = ({ method, path, query, body }: Asked): string =>
  hashSecret(JSON.stringify([method, path, inOrder(query), inOrder(body)]));

const inOrder = (fields: object): unknown =>
  JSON.parse(JSON.stringify(fields), (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

export const approvalRequests = defineEntity<ApprovalRequest>(ApprovalRequest, {
  name: 'approval-request',
  // a person with a part asks for what the person sees; lists are closed to parts
  inPart: 'whole',
  dimensions: { status: APPROVAL_STATUSES },
  indexed: ({ operation }) => ({ operation }),
  unique: (request) => ({ waiting: request.status === 'waiting' ? sameRequest(request) : null }),
  feedFields: ['operation', 'method', 'path', 'status', 'expiresAt', 'decidedBy', 'reason'],
});
