import type { ApexFile } from '#shared/apex/files.ts';
import type { Bucket } from '#shared/runtime/bucket.ts';

/** Whoever has the address has the file: only for as long as it takes to follow it. */
export const URL_SECONDS = 300;

/** An address from which anyone may read the file for a while; what a browser makes of it is a download. */
export async function signReading(bucket: Bucket, { key, name, id }: ApexFile): Promise<string> {
  const [{ GetObjectCommand }, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const disposition = `attachment; filename*=UTF-8''${extended(name ?? id)}`;
  const command = new GetObjectCommand({
    Bucket: bucket.name,
    Key: key,
    ResponseContentType: 'application/octet-stream',
    ResponseContentDisposition: disposition,
  });
  return getSignedUrl(await bucket.client(), command, { expiresIn: URL_SECONDS });
}

/** A parameter's extended value (RFC 8187, section 3.2): some of what a URI leaves as it is must be encoded here. */
const extended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
