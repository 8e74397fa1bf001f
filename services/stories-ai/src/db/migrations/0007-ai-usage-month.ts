import type { Migration } from '@figbase/kit/db'

/** The usage of all workspaces in a month, for administrators. */
export const aiUsageMonth: Migration = {
  name: '0007-ai-usage-month',
  inTransaction: false,
  sql: 'create index concurrently ai_usage_month_idx on ai_usage (month)',
}
