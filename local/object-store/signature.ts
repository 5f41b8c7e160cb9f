import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { S3Error } from './s3-error.ts';
import { amzParameter, header, type S3Request } from './s3-request.ts';

type Credentials = { accessKeyId: string; secretAccessKey: string };
type Authorization = { credential: string; signedHeaders: string[]; signature: string; presigned: boolean };

const maxClockSkewMs = 15 * 60_000;

/** Verifies AWS Signature Version 4 as S3 does, in the Authorization header or in a presigned address. */
export function verifySignature(request: S3Request, credentials: Credentials, now: number): void {
  const authorization = authorizationOf(request);
  const [accessKeyId, ...scope] = authorization.credential.split('/');
  if (accessKeyId !== credentials.accessKeyId) {
    throw new S3Error(403, 'InvalidAccessKeyId', 'The access key id does not exist in our records.');
  }
  const time = amzParameter(request, 'x-amz-date') ?? '';
  assertCurrent(request, authorization, Date.parse(isoTime(time)), now);
  assertAmzHeadersSigned(request, authorization.signedHeaders);
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonicalRequest(request, authorization))].join('\n');
  const expected = hmac(signingKey(credentials.secretAccessKey, scope), text);
  const given = Buffer.from(authorization.signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new S3Error(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match yours.');
  }
}

/** The keys of the latest scopes: almost all requests are of one day and region, for two services. */
const signingKeys = new Map<string, Buffer>();
const MAX_KEYS = 8;

function signingKey(secret: string, scope: readonly string[]): Buffer {
  const name = [secret, ...scope].join('/');
  const known = signingKeys.get(name);
  if (known) return known;
  const key = scope.reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));
  if (signingKeys.size === MAX_KEYS) signingKeys.clear();
  signingKeys.set(name, key);
  return key;
}

function authorizationOf(request: S3Request): Authorization {
  const { query } = request;
  const presigned = query.get('X-Amz-Signature');
  if (presigned !== undefined) {
    const signedHeaders = (query.get('X-Amz-SignedHeaders') ?? '').split(';');
    return { credential: query.get('X-Amz-Credential') ?? '', signedHeaders, signature: presigned, presigned: true };
  }
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=([0-9a-f]+)$/;
  const [, credential, signedHeaders, signature] = pattern.exec(header(request, 'authorization') ?? '') ?? [];
  if (!credential || !signedHeaders || !signature) throw new S3Error(403, 'AccessDenied', 'Access Denied');
  return { credential, signedHeaders: signedHeaders.split(';'), signature, presigned: false };
}

function assertCurrent(request: S3Request, authorization: Authorization, signedAt: number, now: number): void {
  if (Number.isNaN(signedAt)) throw new S3Error(403, 'AccessDenied', 'The request carries no valid date.');
  if (authorization.presigned) {
    const expiresAt = signedAt + Number(request.query.get('X-Amz-Expires')) * 1_000;
    if (!(now <= expiresAt)) throw new S3Error(403, 'AccessDenied', 'Request has expired');
  } else if (Math.abs(now - signedAt) > maxClockSkewMs) {
    throw new S3Error(403, 'RequestTimeTooSkewed', 'The difference between the request time and ours is too large.');
  }
}

/** Without this check, anybody could add an unsigned header, for instance another checksum. */
function assertAmzHeadersSigned(request: S3Request, signedHeaders: string[]): void {
  const unsigned = Object.keys(request.message.headers).filter(
    (name) => name.startsWith('x-amz-') && !signedHeaders.includes(name),
  );
  if (unsigned.length === 0) return;
  throw new S3Error(403, 'AccessDenied', `There were headers present which were not signed: ${unsigned.join(', ')}`);
}

function canonicalRequest(request: S3Request, { signedHeaders, presigned }: Authorization): string {
  const path = `/${[request.bucket, ...request.key.split('/')].map(encode).join('/')}`;
  const query = [...request.query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const headers = signedHeaders.map((name) => `${name}:${(header(request, name) ?? '').trim().replace(/ +/g, ' ')}\n`);
  const content = amzParameter(request, 'x-amz-content-sha256') ?? (presigned ? 'UNSIGNED-PAYLOAD' : '');
  return [
    request.method,
    rawPathWithoutKey(request) ?? path,
    query,
    headers.join(''),
    signedHeaders.join(';'),
    content,
  ].join('\n');
}

/** The path of a request for the bucket itself, with or without its last slash, as it was sent and signed. */
function rawPathWithoutKey(request: S3Request): string | undefined {
  return request.key === '' ? request.message.url?.split('?', 1)[0] : undefined;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function isoTime(compact: string): string {
  return compact.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
