import type { ApexFile } from '#shared/apex/files.ts';
import type { Bucket } from '#shared/runtime/bucket.ts';

/** Anyone with the address can read the file, so it is valid only for a short time. */
export const URL_SECONDS = 300;

/** A short-lived address of a file. A browser downloads it instead of showing it. */
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

/** A parameter's extended value (RFC 8187, section 3.2), which encodes more characters than a URI. */
const extended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
