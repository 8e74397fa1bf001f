import type { Migration } from '@figbase/kit/db'

export const changesBelow: Migration = {
  name: '0019-changes-below',
  sql: `
-- How many deltas of the node were folded: with those that are not folded yet, a version of everything below it.
alter table node_stat add column changes bigint not null default 0;
`,
}
