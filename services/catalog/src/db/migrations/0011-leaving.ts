import type { Migration } from '@figbase/kit/db'

export const leaving: Migration = {
  name: '0011-leaving',
  sql: `
create index invitation_inviter_idx on invitation (invited_by, created_on, seq);
`,
}
