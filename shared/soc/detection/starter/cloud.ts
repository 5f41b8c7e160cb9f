/** Rules for AWS CloudTrail. */
export const CLOUD_RULES = {
  'aws-root-login': `title: Login of the root user of an AWS account
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00301
description: The root user of an AWS account logged in to the console. It is not needed for daily work.
logsource:
  product: aws
  service: cloudtrail
detection:
  selection:
    eventName: ConsoleLogin
    userIdentity.type: Root
  condition: selection
level: high
tags: [attack.initial-access, attack.t1078.004]
`,
  'aws-login-without-mfa': `title: Login to the AWS console without a second factor
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00302
description: An IAM user logged in to the console with a password alone.
logsource:
  product: aws
  service: cloudtrail
detection:
  selection:
    eventName: ConsoleLogin
    userIdentity.type: IAMUser
    responseElements.ConsoleLogin: Success
    additionalEventData.MFAUsed: 'No'
  condition: selection
level: medium
tags: [attack.initial-access, attack.t1078.004]
`,
  'aws-trail-stopped': `title: The log of an AWS account is turned off
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00303
description: A trail was stopped or deleted, or its events were narrowed.
logsource:
  product: aws
  service: cloudtrail
detection:
  selection:
    eventSource: cloudtrail.amazonaws.com
    eventName: [StopLogging, DeleteTrail, PutEventSelectors]
  failed:
    errorCode|exists: true
  condition: selection and not failed
level: high
tags: [attack.defense-evasion, attack.t1562.008]
`,
  'aws-public-bucket': String.raw`title: A bucket is opened to everybody
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00304
description: The access list or the policy of a bucket admits everybody, or its block against that was removed.
logsource:
  product: aws
  service: cloudtrail
detection:
  bucket:
    eventSource: s3.amazonaws.com
  everybody:
    eventName: [PutBucketAcl, PutBucketPolicy]
  who:
    - '*AllUsers*'
    - '*"Principal":"\*"*'
  block:
    eventName: DeleteBucketPublicAccessBlock
  condition: bucket and (everybody and who or block)
level: high
tags: [attack.exfiltration, attack.t1530]
`,
  'aws-key-for-another-user': `title: An access key is made for another user
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00305
description: Somebody made an access key for a user that is not their own, which keeps a way in.
logsource:
  product: aws
  service: cloudtrail
detection:
  selection:
    eventSource: iam.amazonaws.com
    eventName: CreateAccessKey
    requestParameters.userName|exists: true
  own:
    requestParameters.userName|fieldref: userIdentity.userName
  condition: selection and not own
level: medium
tags: [attack.persistence, attack.t1098.001]
`,
  'aws-many-refusals': `title: Many refused calls of one identity
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00306
name: aws_call_refused
logsource:
  product: aws
  service: cloudtrail
detection:
  selection:
    errorCode: [AccessDenied, AccessDeniedException, Client.UnauthorizedOperation, UnauthorizedOperation]
  condition: selection
---
title: Many refused calls of one identity
id: 0192f0a1-1c5e-4a55-9d11-52f3a1c00307
description: One identity was refused fifteen different operations within ten minutes, as somebody is who tries what a stolen key may do.
correlation:
  type: value_count
  rules: [aws_call_refused]
  group-by: [userIdentity.arn]
  timespan: 10m
  condition:
    field: eventName
    gte: 15
level: high
tags: [attack.discovery, attack.t1580]
`,
} as const;
