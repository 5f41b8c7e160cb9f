import type { BenchmarkCheck } from '../report/report.ts';

/**
 * The checks of Prowler for the controls of the CIS Amazon Web Services Foundations Benchmark 3.0.0, by keys that are
 * never changed: the control's number, and a letter where it has several checks. The pairs are facts of Prowler's own
 * table (github.com/prowler-cloud/prowler, prowler/compliance/aws/cis_3.0_aws.json of 5.46). Two things differ: that
 * table has no check for 1.22, whose check is in the tables of 2.0 and 4.0; and its `ec2_confidential_workload_host_*`,
 * for one kind of instances, are left out, because earlier versions of Prowler lack them and a control passes only by
 * all of its checks.
 */
export const AWS_CHECKS: Readonly<Record<string, string>> = {
  '1.1': 'account_maintain_current_contact_details',
  '1.2': 'account_security_contact_information_is_registered',
  '1.3': 'account_security_questions_are_registered_in_the_aws_account',
  '1.4': 'iam_no_root_access_key',
  '1.5': 'iam_root_mfa_enabled',
  '1.6': 'iam_root_hardware_mfa_enabled',
  '1.7': 'iam_avoid_root_usage',
  '1.8': 'iam_password_policy_minimum_length_14',
  '1.9': 'iam_password_policy_reuse_24',
  '1.10': 'iam_user_mfa_enabled_console_access',
  '1.11': 'iam_user_no_setup_initial_access_key',
  '1.12a': 'iam_user_accesskey_unused',
  '1.12b': 'iam_user_console_access_unused',
  '1.13': 'iam_user_two_active_access_key',
  '1.14': 'iam_rotate_access_key_90_days',
  '1.15': 'iam_policy_attached_only_to_group_or_roles',
  '1.16a': 'iam_aws_attached_policy_no_administrative_privileges',
  '1.16b': 'iam_customer_attached_policy_no_administrative_privileges',
  '1.17': 'iam_support_role_created',
  '1.18': 'ec2_instance_profile_attached',
  '1.19': 'iam_no_expired_server_certificates_stored',
  '1.20': 'accessanalyzer_enabled',
  '1.21': 'iam_check_saml_providers_sts',
  '1.22': 'iam_policy_cloudshell_admin_not_attached',
  '2.1.1': 's3_bucket_secure_transport_policy',
  '2.1.2': 's3_bucket_no_mfa_delete',
  '2.1.3': 'macie_is_enabled',
  '2.1.4a': 's3_bucket_level_public_access_block',
  '2.1.4b': 's3_account_level_public_access_blocks',
  '2.2.1': 'ec2_ebs_volume_encryption',
  '2.3.1': 'rds_instance_storage_encrypted',
  '2.3.2': 'rds_instance_minor_version_upgrade_enabled',
  '2.3.3': 'rds_instance_no_public_access',
  '2.4.1': 'efs_encryption_at_rest_enabled',
  '3.1': 'cloudtrail_multi_region_enabled',
  '3.2': 'cloudtrail_log_file_validation_enabled',
  '3.3': 'config_recorder_all_regions_enabled',
  '3.4': 'cloudtrail_logs_s3_bucket_access_logging_enabled',
  '3.5': 'cloudtrail_kms_encryption_enabled',
  '3.6': 'kms_cmk_rotation_enabled',
  '3.7': 'vpc_flow_logs_enabled',
  '3.8': 'cloudtrail_s3_dataevents_write_enabled',
  '3.9': 'cloudtrail_s3_dataevents_read_enabled',
  '4.1': 'cloudwatch_log_metric_filter_unauthorized_api_calls',
  '4.2': 'cloudwatch_log_metric_filter_sign_in_without_mfa',
  '4.3': 'cloudwatch_log_metric_filter_root_usage',
  '4.4': 'cloudwatch_log_metric_filter_policy_changes',
  '4.5': 'cloudwatch_log_metric_filter_and_alarm_for_cloudtrail_configuration_changes_enabled',
  '4.6': 'cloudwatch_log_metric_filter_authentication_failures',
  '4.7': 'cloudwatch_log_metric_filter_disable_or_scheduled_deletion_of_kms_cmk',
  '4.8': 'cloudwatch_log_metric_filter_for_s3_bucket_policy_changes',
  '4.9': 'cloudwatch_log_metric_filter_and_alarm_for_aws_config_configuration_changes_enabled',
  '4.10': 'cloudwatch_log_metric_filter_security_group_changes',
  '4.11': 'cloudwatch_changes_to_network_acls_alarm_configured',
  '4.12': 'cloudwatch_changes_to_network_gateways_alarm_configured',
  '4.13': 'cloudwatch_changes_to_network_route_tables_alarm_configured',
  '4.14': 'cloudwatch_changes_to_vpcs_alarm_configured',
  '4.15': 'cloudwatch_log_metric_filter_aws_organizations_changes',
  '4.16': 'securityhub_enabled',
  '5.1a': 'ec2_networkacl_allow_ingress_any_port',
  '5.1b': 'ec2_networkacl_allow_ingress_tcp_port_22',
  '5.1c': 'ec2_networkacl_allow_ingress_tcp_port_3389',
  '5.2a': 'ec2_securitygroup_allow_ingress_from_internet_to_all_ports',
  '5.2b': 'ec2_securitygroup_allow_ingress_from_internet_to_tcp_port_22',
  '5.2c': 'ec2_securitygroup_allow_ingress_from_internet_to_tcp_port_3389',
  '5.4': 'ec2_securitygroup_default_restrict_traffic',
  '5.5': 'vpc_peering_routing_tables_with_least_privilege',
  '5.6': 'ec2_instance_imdsv2_enabled',
};

/** Made once, at the first result of Prowler. */
let keys: ReadonlyMap<string, string> | undefined;

/** The check of the benchmark by its name in Prowler; undefined for one of no control. */
export function checkOfAws(name: string): BenchmarkCheck | undefined {
  keys ??= new Map(Object.entries(AWS_CHECKS).map(([key, id]) => [id, key]));
  const key = keys.get(name);
  return key === undefined ? undefined : { benchmark: 'aws-3.0', key };
}

/** One check looks at both versions of IP. */
const SAME_CHECKS: Readonly<Record<string, string>> = { '5.3': '5.2' };

/** The keys of the checks of a control, by its number in the benchmark. */
export function keysOfAws(control: string): string[] {
  const named = SAME_CHECKS[control] ?? control;
  return Object.keys(AWS_CHECKS).filter((key) => key.replace(/[a-z]$/, '') === named);
}
