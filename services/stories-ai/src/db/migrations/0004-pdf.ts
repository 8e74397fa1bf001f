import type { Migration } from '@figbase/kit/db'

export const pdf: Migration = {
  name: '0004-pdf',
  sql: `
alter table story_export drop constraint story_export_format_check;
alter table story_export add constraint story_export_format_check check (format in ('markdown', 'pptx', 'pdf'));
`,
}
