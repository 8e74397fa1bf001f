/** Members of plans, subscriptions, promotions and storage, by their name. Limits are null if there is no limit. */
export const plans: Record<string, string> = {
  monthly_cost: 'The price of a month, in the currency of the installation.',
  annual_cost: 'The price of a year, in the currency of the installation.',
  max_storage_bytes: 'How many bytes may be stored; null for no limit.',
  max_users: 'How many members there may be; null for no limit.',
  allow_flexible_storage: 'Whether the plan allows a storage of its own.',
  monthly_token_quota: 'How many tokens AI may use in a month; null for no limit.',
  deep_insight_rate: 'How many requests for AI a user may make in a minute; null for no limit.',
  compute_max_running_instances: 'How many compute instances may run at once; null for no limit.',
  idle_shutdown_required: 'Whether idle compute instances are always shut down.',
  max_idle_seconds:
    'After how many seconds at most an idle instance is shut down; null for no limit.',
  default_idle_seconds: 'After how many seconds an idle instance is shut down by default, or null.',
  effective_max_data_volume_gb:
    'How large the volume of an instance may be, in GB; null for no limit.',
  monthly_compute_seconds:
    'How many seconds compute instances may run in a month; null for no limit.',
  is_self_service: 'Whether managers may choose the plan themselves.',
  'PlanUpdate.is_default': 'Whether the plan applies if no other was chosen.',

  plan: 'The plan, or its id.',
  compute_overages_enabled: 'Whether compute instances may run for longer than the plan allows.',
  managed_by_organization: 'Whether the plan is that of the organization.',
  used_storage_bytes: 'How many bytes are stored.',
  used_users: 'How many members there are.',
  changed_on: 'When the plan was changed last, or null.',
  'Subscription.organization': 'The id of the organization whose plan applies, or null.',

  promotion_code: 'The promotion code.',
  uses_max: 'How often the code may be used; null for no limit.',
  uses: 'How often the code was used.',

  vendor: 'The kind of storage: `default`, `s3` or `aws`.',
  params: 'The settings of the vendor; secrets are not shown.',
  path: 'The path of the stored object; null if it is not shown.',
}
