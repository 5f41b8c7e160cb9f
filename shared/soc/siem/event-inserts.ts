const SUBJECT = 'SubjectUserSid SubjectUserName SubjectDomainName SubjectLogonId';
const TARGET = 'TargetUserName TargetDomainName TargetSid';
const OBJECT = `${SUBJECT} ObjectServer ObjectType ObjectName HandleId`;
const LOGON = `${SUBJECT} TargetUserSid TargetUserName TargetDomainName`;
const MEMBER = `MemberName MemberSid ${TARGET} ${SUBJECT} PrivilegeList MembershipExpirationTime`;
const ACCOUNT =
  `${TARGET} ${SUBJECT} PrivilegeList SamAccountName DisplayName UserPrincipalName HomeDirectory HomePath ScriptPath ProfilePath ` +
  'UserWorkstations PasswordLastSet AccountExpires PrimaryGroupId AllowedToDelegateTo OldUacValue NewUacValue UserAccountControl ' +
  'UserParameters SidHistory LogonHours';
const CLIENT = 'ClientProcessStartKey ClientProcessId ParentProcessId RpcCallClientLocality FQDN';
const TASK = `${SUBJECT} TaskName TaskContent ${CLIENT}`;
const PACKET =
  'ProcessID Application Direction SourceAddress SourcePort DestAddress DestPort Protocol FilterRTID LayerName LayerRTID ' +
  'RemoteUserID RemoteMachineID';
const OF_PROCESS = 'UtcTime ProcessGuid ProcessId';
const PROCESS = `RuleName ${OF_PROCESS}`;
const FILE = `${PROCESS} User Image TargetFilename Hashes`;
const VERSION = 'FileVersion Description Product Company OriginalFileName';
const KEY = `RuleName EventType ${OF_PROCESS} Image TargetObject`;
const PIPE = `RuleName EventType ${OF_PROCESS} PipeName Image User`;
const WMI = 'RuleName EventType UtcTime Operation User';
const THREAT =
  'ProductName ProductVersion DetectionID DetectionTime Unused Unused2 ThreatID ThreatName SeverityID SeverityName CategoryID ' +
  'CategoryName FWLink StatusCode StatusDescription State SourceID SourceName ProcessName DetectionUser Unused3 Path OriginID ' +
  'OriginName ExecutionID ExecutionName TypeID TypeName PreExecutionStatus ActionID ActionName Unused4 ErrorCode ErrorDescription';

/**
 * The names by Sigma's service and the id of the event, of Windows 10 and Server 2016 on; later versions of an event have further values
 * behind these. Sources: the manifests of the providers (`wevtutil gp NAME /ge /gm`), `Sysmon -s`.
 */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sysmon: {
    1:
      `${PROCESS} Image ${VERSION} CommandLine CurrentDirectory User LogonGuid LogonId TerminalSessionId IntegrityLevel Hashes ` +
      'ParentProcessGuid ParentProcessId ParentImage ParentCommandLine ParentUser',
    2: `${PROCESS} Image TargetFilename CreationUtcTime PreviousCreationUtcTime User`,
    3:
      `${PROCESS} Image User Protocol Initiated SourceIsIpv6 SourceIp SourceHostname SourcePort SourcePortName DestinationIsIpv6 ` +
      'DestinationIp DestinationHostname DestinationPort DestinationPortName',
    4: 'UtcTime State Version SchemaVersion',
    5: `${PROCESS} Image User`,
    6: 'RuleName UtcTime ImageLoaded Hashes Signed Signature SignatureStatus',
    7: `${PROCESS} Image ImageLoaded ${VERSION} Hashes Signed Signature SignatureStatus User`,
    8:
      'RuleName UtcTime SourceProcessGuid SourceProcessId SourceImage TargetProcessGuid TargetProcessId TargetImage NewThreadId ' +
      'StartAddress StartModule StartFunction SourceUser TargetUser',
    9: `${PROCESS} Image Device User`,
    10:
      'RuleName UtcTime SourceProcessGUID SourceProcessId SourceThreadId SourceImage TargetProcessGUID TargetProcessId TargetImage ' +
      'GrantedAccess CallTrace SourceUser TargetUser',
    11: `${PROCESS} Image TargetFilename CreationUtcTime User`,
    12: `${KEY} User`,
    13: `${KEY} Details User`,
    14: `${KEY} NewName User`,
    15: `${PROCESS} Image TargetFilename CreationUtcTime Hash Contents User`,
    16: 'UtcTime Configuration ConfigurationFileHash',
    17: PIPE,
    18: PIPE,
    19: `${WMI} EventNamespace Name Query`,
    20: `${WMI} Name Type Destination`,
    21: `${WMI} Consumer Filter`,
    22: `${PROCESS} QueryName QueryStatus QueryResults Image User`,
    23: `${FILE} IsExecutable Archived`,
    24: `${PROCESS} Image Session ClientInfo Hashes Archived User`,
    25: `${PROCESS} Image Type User`,
    26: `${FILE} IsExecutable`,
    27: FILE,
    28: `${FILE} IsExecutable`,
    29: FILE,
    255: 'UtcTime ID Description',
  },
  security: {
    1102: SUBJECT,
    4611: `${SUBJECT} LogonProcessName`,
    4616: `${SUBJECT} PreviousTime NewTime ProcessId ProcessName`,
    4624:
      `${LOGON} TargetLogonId LogonType LogonProcessName AuthenticationPackageName WorkstationName LogonGuid TransmittedServices ` +
      'LmPackageName KeyLength ProcessId ProcessName IpAddress IpPort ImpersonationLevel RestrictedAdminMode TargetOutboundUserName ' +
      'TargetOutboundDomainName VirtualAccount TargetLinkedLogonId ElevatedToken',
    4625:
      `${LOGON} Status FailureReason SubStatus LogonType LogonProcessName AuthenticationPackageName WorkstationName ` +
      'TransmittedServices LmPackageName KeyLength ProcessId ProcessName IpAddress IpPort',
    4634: 'TargetUserSid TargetUserName TargetDomainName TargetLogonId LogonType',
    4647: 'TargetUserSid TargetUserName TargetDomainName TargetLogonId',
    4648:
      `${SUBJECT} LogonGuid TargetUserName TargetDomainName TargetLogonGuid TargetServerName TargetInfo ProcessId ProcessName ` +
      'IpAddress IpPort',
    4656:
      `${OBJECT} TransactionId AccessList AccessReason AccessMask PrivilegeList RestrictedSidCount ProcessId ProcessName ` +
      'ResourceAttributes',
    4657: `${SUBJECT} ObjectName ObjectValueName HandleId OperationType OldValueType OldValue NewValueType NewValue ProcessId ProcessName`,
    4658: `${SUBJECT} ObjectServer HandleId ProcessId ProcessName`,
    4661:
      `${OBJECT} TransactionId AccessList AccessReason AccessMask PrivilegeList Properties RestrictedSidCount ProcessId ` +
      'ProcessName',
    4662:
      `${SUBJECT} ObjectServer ObjectType ObjectName OperationType HandleId AccessList AccessMask Properties AdditionalInfo ` +
      'AdditionalInfo2',
    4663: `${OBJECT} AccessList AccessMask ProcessId ProcessName ResourceAttributes`,
    4670: `${OBJECT} OldSd NewSd ProcessId ProcessName`,
    4672: `${SUBJECT} PrivilegeList`,
    4673: `${SUBJECT} ObjectServer Service PrivilegeList ProcessId ProcessName`,
    4674: `${OBJECT} AccessMask PrivilegeList ProcessId ProcessName`,
    4688:
      `${SUBJECT} NewProcessId NewProcessName TokenElevationType ProcessId CommandLine TargetUserSid TargetUserName ` +
      'TargetDomainName TargetLogonId ParentProcessName MandatoryLabel',
    4689: `${SUBJECT} Status ProcessId ProcessName`,
    4692: `${SUBJECT} MasterKeyId RecoveryServer RecoveryKeyId FailureReason`,
    4697:
      `${SUBJECT} ServiceName ServiceFileName ServiceType ServiceStartType ServiceAccount ClientProcessStartKey ClientProcessId ` +
      'ParentProcessId',
    4698: TASK,
    4699: TASK,
    4700: TASK,
    4701: TASK,
    4702: `${SUBJECT} TaskName TaskContentNew ${CLIENT}`,
    4704: `${SUBJECT} TargetSid PrivilegeList`,
    4706: `DomainName DomainSid ${SUBJECT} TdoType TdoDirection TdoAttributes SidFilteringEnabled`,
    4719: `${SUBJECT} CategoryId SubcategoryId SubcategoryGuid AuditPolicyChanges`,
    4720: ACCOUNT,
    4722: `${TARGET} ${SUBJECT}`,
    4723: `${TARGET} ${SUBJECT} PrivilegeList`,
    4724: `${TARGET} ${SUBJECT}`,
    4725: `${TARGET} ${SUBJECT}`,
    4726: `${TARGET} ${SUBJECT} PrivilegeList`,
    4728: MEMBER,
    4730: `${TARGET} ${SUBJECT} PrivilegeList`,
    4732: MEMBER,
    4738: `Dummy ${ACCOUNT}`,
    4741: `${ACCOUNT} DnsHostName ServicePrincipalNames`,
    4742: `ComputerAccountChange ${ACCOUNT} DnsHostName ServicePrincipalNames`,
    4743: `${TARGET} ${SUBJECT} PrivilegeList`,
    4756: MEMBER,
    4765: `SourceUserName SourceSid ${TARGET} ${SUBJECT} PrivilegeList SidList`,
    4767: `${TARGET} ${SUBJECT}`,
    4768:
      `${TARGET} ServiceName ServiceSid TicketOptions Status TicketEncryptionType PreAuthType IpAddress IpPort CertIssuerName ` +
      'CertSerialNumber CertThumbprint',
    4769:
      'TargetUserName TargetDomainName ServiceName ServiceSid TicketOptions TicketEncryptionType IpAddress IpPort Status LogonGuid ' +
      'TransmittedServices',
    4771:
      'TargetUserName TargetSid ServiceName TicketOptions Status PreAuthType IpAddress IpPort CertIssuerName CertSerialNumber ' +
      'CertThumbprint',
    4776: 'PackageName TargetUserName Workstation Status',
    4781: `OldTargetUserName NewTargetUserName TargetDomainName TargetSid ${SUBJECT} PrivilegeList`,
    4794: `${SUBJECT} Workstation Status`,
    4798: `${TARGET} ${SUBJECT} CallerProcessId CallerProcessName`,
    4799: `${TARGET} ${SUBJECT} CallerProcessId CallerProcessName`,
    4800: 'TargetUserSid TargetUserName TargetDomainName TargetLogonId SessionId',
    4825: 'AccountName AccountDomain LogonID ClientAddress',
    4904: `${SUBJECT} AuditSourceName EventSourceId ProcessId ProcessName`,
    4905: `${SUBJECT} AuditSourceName EventSourceId ProcessId ProcessName`,
    4964: `${SUBJECT} LogonGuid TargetUserSid TargetUserName TargetDomainName TargetLogonId TargetLogonGuid SidList`,
    5136:
      `OpCorrelationID AppCorrelationID ${SUBJECT} DSName DSType ObjectDN ObjectGUID ObjectClass AttributeLDAPDisplayName ` +
      'AttributeSyntaxOID AttributeValue OperationType',
    5137: `OpCorrelationID AppCorrelationID ${SUBJECT} DSName DSType ObjectDN ObjectGUID ObjectClass`,
    5140: `${SUBJECT} ObjectType IpAddress IpPort ShareName ShareLocalPath AccessMask AccessList`,
    5142: `${SUBJECT} ShareName ShareLocalPath`,
    5145: `${SUBJECT} ObjectType IpAddress IpPort ShareName ShareLocalPath RelativeTargetName AccessMask AccessList AccessReason`,
    5156: PACKET,
    5157: PACKET,
    5379: `${SUBJECT} TargetName Type CountOfCredentialsReturned ReadOperation ReturnCode ProcessCreationTime ClientProcessId`,
    6416: `${SUBJECT} DeviceId DeviceDescription ClassId ClassName VendorIds CompatibleIds LocationInformation`,
    6423: `${SUBJECT} DeviceId DeviceDescription ClassId ClassName HardwareIds CompatibleIds LocationInformation`,
  },
  system: {
    104: 'SubjectUserName SubjectDomainName Channel BackupPath',
    7045: 'ServiceName ImagePath ServiceType StartType AccountName',
  },
  powershell: {
    4103: 'ContextInfo UserData Payload',
    4104: 'MessageNumber MessageTotal ScriptBlockText ScriptBlockId Path',
  },
  windefend: {
    1116: THREAT,
    1117: THREAT,
    1119: THREAT,
    1121: 'ProductName ProductVersion Unused ID DetectionTime User Path ProcessName',
    5001: 'ProductName ProductVersion',
    5007: 'ProductName ProductVersion OldValue NewValue',
  },
  taskscheduler: {
    106: 'TaskName UserContext',
    129: 'TaskName Path ProcessID Priority',
    140: 'TaskName UserName',
    141: 'TaskName UserName',
    142: 'TaskName UserName',
  },
  wmi: {
    5858: 'Id ClientMachine User ClientProcessId Component Operation ResultCode PossibleCause',
    5861: 'Namespace ESS CONSUMER PossibleCause',
  },
  'dns-client': { 3008: 'QueryName QueryType QueryOptions QueryStatus QueryResults' },
};

/** @returns the values under their names; those of another event as `Data` and, as the service control manager names them, `param1` */
export function namedInserts(
  service: string | null | undefined,
  id: string,
  values: readonly string[],
): Record<string, string | string[]> {
  const names = NAMES[service ?? '']?.[id]?.split(' ');
  if (names) return Object.fromEntries(names.slice(0, values.length).map((name, n) => [name, values[n] ?? '']));
  return { Data: [...values], ...Object.fromEntries(values.map((value, n) => [`param${n + 1}`, value])) };
}
