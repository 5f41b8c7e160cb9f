/**
 * The addresses of running engines that replace the embedded ones. They are read once, at the start of the process:
 * later, the local system puts the addresses of its own engines into the same variables for the functions.
 */
export const externalEndpoints = {
  dynamoDb: process.env.DYNAMODB_ENDPOINT,
  sqs: process.env.SQS_ENDPOINT,
  s3: process.env.S3_ENDPOINT,
};
