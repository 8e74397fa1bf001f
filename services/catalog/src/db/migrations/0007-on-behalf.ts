import type { Migration } from '@figbase/kit/db'

export const onBehalf: Migration = {
  name: '0007-on-behalf',
  sql: `
-- For whom a node was made by somebody else; both null: for its maker.
alter table node add column on_behalf_name text, add column on_behalf_email text;
`,
}
