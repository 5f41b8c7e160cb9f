import { control, type Framework } from '../framework.ts';

export const soc2: Framework = {
  id: 'soc-2-2017',
  name: 'SOC 2 Trust Services Criteria',
  version: '2017, points of focus of 2022',
  publisher: 'AICPA',
  source:
    'https://www.aicpa-cima.com/resources/download/2017-trust-services-criteria-with-revised-points-of-focus-2022',
  comparedWith:
    'Prowler 5.46 (prowler/compliance/aws/soc2_aws.json), which has all but A1.2, and https://github.com/CyberRiskGuy/aicpa-soc-tsc-json for the common criteria.',
  scope: 'The criteria about what scans of hosts, clouds, code and applications can find.',
  controls: [
    control(
      'CC6.1',
      'Access to systems and data is guarded',
      'access',
      'authentication',
      'cloud_identity',
      'encryption_at_rest',
      'secrets',
    ),
    control('CC6.3', 'Rights follow roles and the least need', 'cloud_identity'),
    control('CC6.6', 'Threats from outside are kept out', 'exposure', 'web_hardening', 'session'),
    control('CC6.7', 'Data that moves is protected', 'transport', 'certificates'),
    control('CC6.8', 'Unwanted software is kept out', 'integrity', 'upload'),
    control(
      'CC7.1',
      'Vulnerabilities and changed settings are found',
      'patching',
      'components',
      'host_hardening',
      'cloud_hardening',
    ),
    control('CC7.2', 'Systems are watched for attacks', 'monitoring', 'logging'),
    control('CC8.1', 'Changes are made safely', 'injection', 'xss', 'code_hardening'),
    control('A1.2', 'Data is backed up', 'backup'),
    control('C1.1', 'Confidential information is protected', 'disclosure', 'encryption_at_rest'),
  ],
};
