import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';

/** The engine reads the credential of a request, which names the region of the tables, and looks at no signature. */
const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=local/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=none';

/** Requests to the local engine without signatures, which take a twentieth of the processor time of all tests. */
export function withoutSignatures<D extends Dynamo>(dynamo: D): D {
  dynamo.client.config.signer = async () => ({
    async sign(request) {
      Object.assign(request.headers, { authorization: AUTHORIZATION, 'x-amz-date': '20260101T000000Z' });
      return request;
    },
  });
  return dynamo;
}
