import type { Migration } from '@figbase/kit/db'

export const processing: Migration = {
  name: '0012-processing',
  sql: `
-- What can be searched of data objects. It goes with them.
create table extracted_text (
  data_id uuid constraint extracted_text_pkey primary key
    constraint extracted_text_data_fkey references external_data on delete cascade,
  revision_id uuid not null,
  source text not null,
  text text not null
);
-- Those of a revision.
create index extracted_text_revision_idx on extracted_text (revision_id, data_id);

-- Why a step of the processing gave up on a data object.
create table processing_failure (
  data_id uuid not null
    constraint processing_failure_data_fkey references external_data on delete cascade,
  step text not null,
  revision_id uuid not null,
  reason text not null,
  at timestamptz not null default now(),
  constraint processing_failure_pkey primary key (data_id, step),
  constraint processing_failure_step_check check (step in ('picture', 'text'))
);
-- Those of a revision.
create index processing_failure_revision_idx on processing_failure (revision_id);
`,
}
