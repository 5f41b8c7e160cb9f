/**
 * Engines that run already and replace the embedded ones. Read once, when the process starts: later the local system
 * tells the functions through the same variables where its own engines are.
 */
export const externalEndpoints = {
  dynamoDb: process.env.DYNAMODB_ENDPOINT,
  sqs: process.env.SQS_ENDPOINT,
  s3: process.env.S3_ENDPOINT,
};
