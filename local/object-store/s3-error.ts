/** An error answer with its S3 error code. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const noSuchKey = () => new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');
export const noSuchBucket = () => new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist.');
export const noSuchUpload = () => new S3Error(404, 'NoSuchUpload', 'The specified multipart upload does not exist.');
export const preconditionFailed = () =>
  new S3Error(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
