import type { Migration } from '@figbase/kit/db'

export const entries: Migration = {
  name: '0002-entries',
  sql: `
-- The words of each object, in each index. Partitions are created with their index.
create table entry (
  generation int not null,
  id uuid not null,
  words tsvector not null,
  -- The fields for the snippets: JSON, deflated.
  texts bytea not null,
  constraint entry_pkey primary key (generation, id)
) partition by list (generation);
alter table entry alter column words set storage external, alter column texts set storage external;
create index entry_words_idx on entry using gin (words) with (gin_pending_list_limit = 1024);

-- The words of an index, in which mistyped words are looked up.
create table word (
  generation int not null,
  word text collate "C" not null,
  -- See errorKeys() in text/typing-errors.ts.
  error_keys int[] not null,
  constraint word_pkey primary key (generation, word)
) partition by list (generation);
create index word_error_keys_idx on word using gin (error_keys) with (gin_pending_list_limit = 1024);

-- The index that the embedded engine searches.
create table live_index (
  is_only boolean constraint live_index_pkey primary key default true,
  generation int not null,
  constraint live_index_check check (is_only)
);
`,
}
