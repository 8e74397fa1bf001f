import type { Migration } from '@figbase/kit/db'

export const entries: Migration = {
  name: '0002-entries',
  sql: `
-- The words of the objects, for the embedded engine: one partition for each index.
create table entry (
  generation int not null,
  id uuid not null,
  words tsvector not null,
  -- The texts, for snippets.
  fields json not null,
  constraint entry_pkey primary key (generation, id)
) partition by list (generation);
create index entry_words_idx on entry using gin (words);

-- Words of names, descriptions and the like, by their variants, to correct typing errors.
create table word_variant (
  generation int not null,
  variant text not null,
  word text not null,
  constraint word_variant_pkey primary key (generation, variant, word)
) partition by list (generation);

create table entry_state (
  is_only boolean constraint entry_state_pkey primary key default true,
  live_generation int not null,
  constraint entry_state_check check (is_only)
);
`,
}
