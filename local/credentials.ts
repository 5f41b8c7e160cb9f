/**
 * What the local system signs its requests with. The engines listen on the loopback only; the object store verifies
 * signatures made with it, so that a presigned address holds here exactly as far as it does on AWS.
 */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' };

export const localRegion = 'eu-central-1';
