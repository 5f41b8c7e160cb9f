import { Logger } from '@aws-lambda-powertools/logger';

/** Structured JSON on stdout. Never log a credential, a header or a body. */
export const log = new Logger({ serviceName: 'exposure' });
