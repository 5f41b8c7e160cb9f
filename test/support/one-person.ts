/** Operations that end something, and why one person is enough: what they end comes back, or is made again with the same effect. */
export const ONE_PERSON: Record<string, string> = {
  acceptMergeSuggestion: 'undoAssetMerge, for 30 days',
  mergeAssets: 'undoAssetMerge, for 30 days',
  retireAsset: 'returnAsset',
  restoreApplication: 'deleteApplication',
  suspendOrganization: 'resumeOrganization',
  removeScimUser: 'activateUser; a directory deactivates no owner',
  removeScimGroup: 'the directory sends it again',
  handOver: 'undone for a day, as the changes of many records that it queues',
  releaseMachine: 'the machine links again',
  rotateMachineSecret: 'a new secret',
  endBranch: 'the next scan of the branch',
  endNamedBranch: 'the next scan of the branch',
  // credentials, which are made again
  ...Object.fromEntries(
    [
      ...['revokeSupportGrant', 'revokeApiKey', 'revokeLinkToken', 'revokeTrustedPublisher'],
      ...['deleteCalendarFeed', 'deleteCredential', 'deleteReportSchedule'],
    ].map((name) => [name, 'another one is made']),
  ),
  // machines, which link again; their results stay
  ...Object.fromEntries(
    [
      ...['deleteAgent', 'deleteScanner', 'deleteAppliance', 'deleteCollector', 'deleteIntegrator'],
      ...['deletePublicScanner', 'deletePublicAppliance'],
    ].map((name) => [name, 'it links again; what it found stays']),
  ),
  // settings and rules of a few fields, whose effect a task takes back and a new rule brings again
  ...Object.fromEntries(
    [
      ...['deleteSavedFilter', 'deleteRole', 'deleteTeam', 'deleteZone', 'deleteGroup', 'deletePublicGroup'],
      ...['deleteFindingRule', 'deleteAssetRule', 'deleteAssetTagRule', 'deleteTicketRule', 'deleteDetectionRule'],
      ...['deleteAssetMapping', 'deleteAssetExclusion', 'deleteEnvironment', 'deleteOrganizationTemplate'],
      ...['deleteIdentityProvider', 'removeProviderDomain', 'unlinkIdentity', 'deleteNotificationSubscription'],
      ...['deleteIntegration', 'deleteTicketingConnection', 'deleteWebhookEndpoint', 'deleteSource'],
      'deleteReportTemplate',
    ].map((name) => [name, 'it is made again; what belongs to it stays']),
  ),
  // the caller's own
  ...Object.fromEntries(
    [
      ...['endMySession', 'endMySessions', 'unlinkMyIdentity', 'removeTotp', 'removeMyPasskey'],
      ...['deleteFindingComment', 'deleteAlertComment', 'unfollowFinding'],
    ].map((name) => [name, "the caller's own alone"]),
  ),
  deleteSalesRequest: 'a person of no organization asks for it, and has the right to it',
};
