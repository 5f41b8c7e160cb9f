import type { Result } from './incoming.ts';
import type { RawAnswer } from './route.ts';

export const jsonAnswer = (statusCode: number, body: unknown, requestId: string): Result => ({
  statusCode,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
  },
  body: JSON.stringify(body),
});

export const rawAnswer = ({ contentType, body, base64 = false, headers }: RawAnswer): Result => ({
  statusCode: 200,
  headers: { 'content-type': contentType, 'cache-control': 'no-store', ...headers },
  body,
  isBase64Encoded: base64,
});
